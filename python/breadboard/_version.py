"""The version of the module and of the program."""

__version__ = "0.1.0"
