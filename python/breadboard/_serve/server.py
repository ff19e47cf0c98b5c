"""Functions of this process as programs that breadboard starts and asks.

breadboard starts a small program that hands its own input and output over to this process, or
passes on what is said where a system cannot hand them over. A thread answers, so that
functions may be closures and see all that is in a notebook.
"""
from __future__ import annotations

import ctypes
import json
import math
import os
import secrets
import socket
import sys
import threading
import time
from typing import Any, Callable, Dict, List, Optional, Set

from .._arrays import SAFE
from .protocol import Abort, Ended, Pipe

# A program of its own, which needs no module but those of Python. Its arguments are an address and
# a key.
BRIDGE = '''
import os, socket, sys, threading
address, key = sys.argv[1:]
if address.isdigit():
    there = socket.create_connection(("127.0.0.1", int(address)))
    there.sendall(key.encode())
    def pass_on():
        for line in sys.stdin.buffer:
            there.sendall(line)
    threading.Thread(target=pass_on, daemon=True).start()
    for line in there.makefile("rb"):
        sys.stdout.buffer.write(line)
        sys.stdout.buffer.flush()
else:
    there = socket.socket(socket.AF_UNIX)
    there.connect(address)
    socket.send_fds(there, [key.encode()], [0, 1])
    os.close(0)
    os.close(1)
    there.recv(1)  # until the other side is done
'''


PATIENCE = 0.5  # seconds for threads to end by themselves


class Server:
    """Answers the programs whose commands it makes, until it is closed."""

    def __init__(self, folder: str, hands_over: bool = hasattr(socket, "send_fds")) -> None:
        self.raised: List[BaseException] = []
        self._answers: Dict[bytes, Callable[[Pipe], None]] = {}  # by their keys
        self._open: List[Any] = []
        self._threads: List[threading.Thread] = []
        self._busy: Set[threading.Thread] = set()  # those that may be broken off
        self._until: Optional[float] = None  # when the patience with the last one that began ends
        self._lock = threading.Lock()
        self._program = os.path.join(folder, "bridge.py")
        with open(self._program, "w", encoding="utf-8") as file:
            file.write(BRIDGE)
        self._python = sys.executable
        if os.name != "nt" and not SAFE.fullmatch(self._python):
            self._python = os.path.join(folder, "python")
            os.symlink(sys.executable, self._python)
        self._hands_over = hands_over
        if hands_over:
            self._address = os.path.join(folder, "socket")
            self._listener = socket.socket(socket.AF_UNIX)
            self._listener.bind(self._address)
        else:
            self._listener = socket.socket()
            self._listener.bind(("127.0.0.1", 0))
            self._address = str(self._listener.getsockname()[1])
        self._listener.listen()
        self._listener.settimeout(0.1)  # to see that it is closed
        self._closed = False
        threading.Thread(target=self._accept, daemon=True).start()

    def words(self, answer: Callable[[Pipe], None]) -> List[str]:
        """The words of the command of a program that answer answers."""
        key = secrets.token_hex(16)
        self._answers[key.encode()] = answer
        return [self._python, "-I", "-S", self._program, self._address, key]

    def command(self, answer: Callable[[Pipe], None]) -> str:
        """The same in one text, as a selector has it: a JSON array if a word has what would need
        quotes.
        """
        words = self.words(answer)
        return json.dumps(words) if set("".join(words)) & set(" \t\n'\"\\") else " ".join(words)

    def wait(self) -> None:
        """Waits for all that is answered, which ends with breadboard, as long as there is patience.
        """
        if self._until is None:
            self._until = time.monotonic() + PATIENCE
        self._join(self._until)

    def _join(self, until: float) -> None:
        for thread in list(self._threads):
            thread.join(max(0.0, until - time.monotonic()))

    def is_busy(self) -> bool:
        with self._lock:
            return bool(self._busy)

    def close(self, hurried: bool = False) -> None:
        """Ends all that is answered. A function that goes on is broken off, and waited for: it
        may hold what the next one needs.
        """
        self._closed = True
        self.wait()
        with self._lock:
            for thread in self._busy:
                ctypes.pythonapi.PyThreadState_SetAsyncExc(
                    ctypes.c_ulong(thread.ident or 0), ctypes.py_object(Abort))
        for one in self._open:
            one.close()
        self._join(time.monotonic() + (0.3 if hurried else 3))

    def _accept(self) -> None:
        while not self._closed:
            try:
                there, _ = self._listener.accept()
            except socket.timeout:
                continue
            thread = threading.Thread(target=self._converse, args=(there,), daemon=True)
            self._until = None
            self._open.append(there)
            thread.start()
            self._threads.append(thread)  # now, since one can wait only for what has begun
        self._listener.close()

    def _converse(self, there: socket.socket) -> None:
        """Answers one program until it ends, or until it is broken off, which may be at any
        place in here.
        """
        try:
            with self._lock:
                self._busy.add(threading.current_thread())
            try:
                self._answer(there)
            finally:
                with self._lock:
                    self._busy.discard(threading.current_thread())
        except Abort:
            pass
        patch: Any = getattr(math.log, "patch", None)
        # The thread was broken off while it put this back
        if patch is not None and patch.thread == threading.get_ident():
            patch.restore()

    def _answer(self, there: socket.socket) -> None:
        length = 32  # characters of a key
        with there:
            try:
                if self._hands_over:
                    key, handles, _, _ = socket.recv_fds(there, length, 2)
                    pipe = Pipe(os.fdopen(handles[0], "rb"), os.fdopen(handles[1], "wb"))
                else:
                    reader = there.makefile("rb")
                    key = reader.read(length)
                    pipe = Pipe(reader, there.makefile("wb"))
            except (OSError, IndexError):
                return  # a stranger called
            with pipe:
                answer = self._answers.get(key)
                try:
                    if answer is not None:
                        answer(pipe)
                except (Abort, Ended):
                    pass
                except BaseException as error:
                    # Before the pipe is closed: breadboard fails at that, and then what was raised
                    # is looked for
                    self.raised.append(error)
