"""NumPy, and None where it is not installed."""

try:
    import numpy as numpy
except ImportError:
    numpy = None  # type: ignore[assignment]
