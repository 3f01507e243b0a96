"""Tables, boards and corrections in a database; photographs as files beside it."""
