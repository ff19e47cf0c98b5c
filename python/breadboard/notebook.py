"""The bench in a notebook."""
from __future__ import annotations

import atexit
import os
import subprocess
import tempfile
from typing import Any, List, Optional

from .arguments import Given
from .errors import BreadboardError
from .program import Path, find, reason


class Bench:
    """A bench that serves url until stop() is called or Python ends. A notebook shows it."""

    def __init__(self, process: "subprocess.Popen[str]", url: str, height: int) -> None:
        self.process, self.url, self.height = process, url, height
        atexit.register(self.stop)

    def stop(self) -> None:
        """Ends the bench."""
        self.process.terminate()
        self.process.wait()
        for pipe in self.process.stdin, self.process.stdout:
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
    """Starts the bench of `breadboard serve` and shows it in a notebook on this machine: paint a
    target, and see J and B change.

    port 0 is any free port; workers is the number of computations at once, 0 for one on each core.
    """
    with Given() as given:
        command: List[str] = [find(binary), "serve"] + given.flags({"port": port, "workers": workers, "framed": True})
    with tempfile.TemporaryFile("w+") as said:  # and no pipe, which would be full one day
        own = {**os.environ, "BREADBOARD_PARENT": "1"}
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=said, text=True, env=own)
        assert process.stdout is not None
        bench = Bench(process, process.stdout.readline().strip(), height)
        if bench.url:
            return bench
        bench.stop()
        said.seek(0)
        messages = said.read()
    raise BreadboardError(reason(messages, process.returncode), process.returncode, command, "", messages)
