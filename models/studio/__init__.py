"""The photo studio: labelled synthetic photographs of all four games, endless and deterministic by seed."""
