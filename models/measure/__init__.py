"""The measuring stick: reads every photo that has a truth file and says how far the reader can be trusted.

`compare` holds what counts as right, `figures` how the counts become the table, `run` the walk over folders.
"""
