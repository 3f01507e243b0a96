"""Pictures become readings: decode, detect, fit the lattice, rectify, classify, decide together, doubt."""

from vision.pipeline import read
from vision.reading import Reading, Unreadable

__all__ = ["Reading", "Unreadable", "read"]
