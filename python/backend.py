"""Builds the wheel and the package of the source for pip (PEP 517), by the command in Go that
makes both.
"""
import os
import shutil
import subprocess
import sys


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    return _made(wheel_directory, ".whl")


def build_sdist(sdist_directory, config_settings=None):
    return _made(sdist_directory, ".tar.gz", "-sdist")


def _made(folder, ending, *flags):
    """Runs the command, and returns the name of what it has made."""
    if shutil.which("go") is None:
        raise SystemExit(
            "breadboard is built from its source by Go 1.26 or later (go.dev/dl), which is not "
            "in the PATH; or install a wheel, which needs no Go")
    before = set(os.listdir(folder))
    command = ["go", "run", "./.ci/dist", "wheel", "-out", folder, *flags]
    subprocess.run(command, check=True, env={**os.environ, "PYTHON": sys.executable})
    (name,) = [name for name in set(os.listdir(folder)) - before if name.endswith(ending)]
    return name
