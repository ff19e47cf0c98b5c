"""The bench in a notebook."""
from __future__ import annotations

import atexit
import subprocess
from typing import Any, List, Optional

from .arguments import Given
from .program import BreadboardError, Path, find


class Bench:
    """A bench that answers at url until stop() is called or Python ends. A notebook shows it."""

    def __init__(self, process: "subprocess.Popen[str]", url: str, height: int) -> None:
        self.process, self.url, self.height = process, url, height
        atexit.register(self.stop)

    def stop(self) -> None:
        """Ends the bench."""
        self.process.terminate()
        self.process.wait()
        for pipe in (self.process.stdout, self.process.stderr):
            if pipe is not None:
                pipe.close()
        atexit.unregister(self.stop)

    def __enter__(self) -> Bench:
        return self

    def __exit__(self, *error: Any) -> None:
        self.stop()

    def _repr_html_(self) -> str:
        return '<iframe src="%s" width="100%%" height="%d" style="border: 0"></iframe>' % (self.url, self.height)


def serve(height: int = 900, port: int = 0, workers: Optional[int] = None, binary: Optional[Path] = None) -> Bench:
    """Starts the bench of `breadboard serve`, and shows it in a notebook that runs on this machine: paint a target, and see J and B move.

    port 0 is any that is free; workers is the number of computations at once, 0 for one on each core.
    """
    with Given() as given:
        command: List[str] = [find(binary), "serve"] + given.flags({"port": port, "workers": workers, "framed": True})
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stderr is not None
    url = process.stdout.readline().strip()
    if not url:
        messages = process.stderr.read()
        code = process.wait()
        raise BreadboardError(messages.strip(), code, command, "", messages)
    return Bench(process, url, height)
