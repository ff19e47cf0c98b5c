"""python -m breadboard is the program breadboard."""
import subprocess
import sys

from ._program.run import find

if __name__ == "__main__":
    try:
        sys.exit(subprocess.call([find(), *sys.argv[1:]]))
    except KeyboardInterrupt:  # which the program has answered, too
        sys.exit(130)
