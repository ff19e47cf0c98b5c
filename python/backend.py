"""Builds the wheel and the package of the source for pip (PEP 517), by the command in Go that makes both."""
import os
import subprocess


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    return _made(wheel_directory, ".whl")


def build_sdist(sdist_directory, config_settings=None):
    return _made(sdist_directory, ".tar.gz", "-sdist")


def _made(folder, ending, *flags):
    """Runs the command, and returns the name of what it has made."""
    before = set(os.listdir(folder))
    subprocess.run(["go", "run", "./.ci/dist", "wheel", "-out", folder, *flags], check=True)
    (name,) = [name for name in set(os.listdir(folder)) - before if name.endswith(ending)]
    return name
