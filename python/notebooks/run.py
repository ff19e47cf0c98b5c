"""Runs the notebooks of this folder unchanged, and fails if an output differs from the stored one.

    python3 run.py              compares
    python3 run.py --update     stores the outputs
    python3 run.py rhat.ipynb   runs only this notebook

It needs nbclient and ipykernel, and breadboard with what the notebooks import. Pictures of matplotlib are not compared, because
fonts differ between machines. Instead --update stores a hash of the code, and a test fails if the code has another one. Outputs
of a cell with the tag "varies" are neither compared nor stored.
"""
import hashlib
import os
import sys
import time

import nbformat
from nbclient import NotebookClient

HERE = os.path.dirname(os.path.abspath(__file__))


def shown(cell):
    """The outputs of a cell that are compared. On a busy machine a text arrives in pieces, which are joined."""
    if cell.cell_type != "code" or "varies" in cell.metadata.get("tags", []):
        return []
    parts = []
    for output in cell.outputs:
        data = dict(output.get("data", {}))
        if data.pop("image/png", None):
            data = {"image/png": "a picture"}
        part = (output.output_type, output.get("name", ""), output.get("text", ""), output.get("ename", ""), sorted(data.items()))
        if parts and part[0] == "stream" and parts[-1][:2] == part[:2]:
            part = (*part[:2], parts.pop()[2] + part[2], *part[3:])
        parts.append(part)
    return parts


def hash_of_code(book):
    """16 digits of the SHA-256 of the code cells, which cmd/breadboard/images_test.go compares."""
    code = "".join(cell.source + "\n" for cell in book.cells if cell.cell_type == "code")
    return hashlib.sha256(code.encode()).hexdigest()[:16]


def main(words):
    update = "--update" in words
    names = [word for word in words if not word.startswith("-")] or sorted(name for name in os.listdir(HERE) if name.endswith(".ipynb"))
    if os.path.isdir(os.path.join(HERE, "..", "breadboard")):  # in a clone; elsewhere it is installed
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [os.path.dirname(HERE), os.environ.get("PYTHONPATH")]))
    os.environ["BREADBOARD_PROGRESS"] = "1h"  # how long a command takes is no output
    os.environ["PYDEVD_DISABLE_FILE_VALIDATION"] = "1"  # a warning of the debugger that ipykernel brings
    wrong = 0
    for name in names:
        path = os.path.join(HERE, name)
        before = nbformat.read(path, as_version=4)
        after = nbformat.read(path, as_version=4)
        begin = time.monotonic()
        client = NotebookClient(after, timeout=300, kernel_name="python3", resources={"metadata": {"path": HERE}})
        client.create_kernel_manager().kernel_spec.argv[0] = sys.executable  # and not what is installed on the system
        client.execute()
        print("%s: %d cells in %.1f s" % (name, len(after.cells), time.monotonic() - begin))
        for cell in after.cells:
            cell.metadata.pop("execution", None)  # when it was run
        if update:
            after.metadata = before.metadata
            after.metadata["breadboard_ran"] = hash_of_code(after)
            for cell in after.cells:
                if "varies" in cell.metadata.get("tags", []):
                    cell.outputs, cell.execution_count = [], None
            nbformat.write(after, path)
            continue
        for number, (was, now) in enumerate(zip(before.cells, after.cells), 1):
            if shown(was) != shown(now):
                wrong += 1
                print("cell %d shows\n%s\nand showed\n%s\n(run.py --update writes it anew)" % (number, shown(now), shown(was)))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
