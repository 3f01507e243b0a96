"""Everything that makes the weights. Needs the `train` extra; nothing at run time imports it."""
