"""Runs the program breadboard: its output, its errors, its progress, and how it is interrupted."""
from __future__ import annotations

import contextlib
import errno
import functools
import glob
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import warnings
from typing import Any, Callable, Dict, List, Optional, Tuple, Union

from .arguments import Given, in_one_order
from .._errors import BadInput, BreadboardError, BreadboardWarning, Fault, Interrupted
from .._version import __version__
from .._law.tree import Kept
from .._serve.kernels import followed

Path = Union[str, "os.PathLike[str]"]


DOUBT = "\x1e"  # stands before a note on the input in what the program writes
ERROR = "\x1d"  # stands before the error as JSON, in two parts


def warn(message: str) -> None:
    """Warns where the user calls the package."""
    here, depth, frame = os.path.dirname(
        os.path.dirname(os.path.abspath(__file__))) + os.sep, 1, sys._getframe()
    while frame.f_back is not None and os.path.abspath(frame.f_code.co_filename).startswith(here):
        frame, depth = frame.f_back, depth + 1
    warnings.warn(message, BreadboardWarning, stacklevel=depth)


def run(
    *words: Any, binary: Optional[Path] = None, cwd: Optional[Path] = None,
    progress: Optional[bool] = None, given: Optional[Given] = None, **flags: Any,
) -> Tuple[str, str]:
    """Runs a command and returns its standard output and its standard error, as two strings.

    binary is the program to run, instead of the one that find() returns; cwd is its working folder.
    On a terminal and in a notebook, a command that takes more than a second shows its progress,
    with a bar if tqdm is installed. progress=False hides it. progress=True shows it everywhere, and
    without tqdm also everything else that the command writes to standard error.

    Raises Fault if a check has found a fault, BadInput if the input is invalid, and BreadboardError
    if something else went wrong, such as a full disk. Ctrl-C ends the command and raises
    Interrupted, a KeyboardInterrupt. An exception raised by a function that the command calls, such
    as a kernel, is raised again. A note on the input, for example that an array was read in another
    shape, is a BreadboardWarning. given holds the arrays and functions of several commands, if the
    output of one names them for the next.
    """
    stdout, messages = run_bytes(
        *words, binary=binary, cwd=cwd, progress=progress, given=given, **flags)
    return stdout.decode("utf-8"), messages


def run_bytes(
    *words: Any, binary: Optional[Path] = None, cwd: Optional[Path] = None,
    progress: Optional[bool] = None, given: Optional[Given] = None, **flags: Any,
) -> Tuple[bytes, str]:
    """Does what run does, and returns the output as bytes."""
    program = find(binary)
    rng = flags.get("rng")
    if isinstance(rng, type):  # the class of the generator of a kernel, as that of law
        follow = functools.partial(followed, rng=rng)
        kernel = flags.get("kernel")
        by_name = (
            {name: follow(f) for name, f in kernel.items()} if isinstance(kernel, dict)
            else follow(kernel) if callable(kernel) else kernel
        )
        words, flags = tuple(
            follow(word) if callable(word) else word
            for word in words), {**flags, "kernel": by_name, "rng": None}
    with contextlib.ExitStack() as kept:
        given = given or kept.enter_context(Given())
        command = [program]
        try:
            said = given.words(in_one_order(words, flags, functools.partial(_shown, binary)))
            # Behind it stand the words of another program
            at = said.index("--") if "--" in said else len(said)
            command += said[:at] + given.flags(flags) + said[at:]
            with _Progress(progress) as show:
                stdout, messages, code = _follow(command, cwd, show)
        # Words that the system does not take: a NUL, half a letter, too many
        except (ValueError, OverflowError, OSError) as odd:
            if (
                isinstance(odd, BreadboardError)
                or isinstance(odd, OSError) and odd.errno != errno.E2BIG
            ):
                raise
            raise BadInput(str(odd), 2, command, "", "") from odd
        messages, _, fields = messages.partition(ERROR)
        parts = (
            json.loads(fields.partition("\n")[0]) if fields
            else {"error": reason(messages, code), "hint": ""}
        )
        stdout, *texts = map(
            given.named,
            [stdout, *(text.encode("utf-8") for text in (messages, parts["error"], parts["hint"]))])
        messages, what, hint = (text.decode("utf-8") for text in texts)
        given.hurried = code == 130
        raised, unanswered = given.raised, given.unanswered
    doubts = re.findall(DOUBT + "(.*)", messages)
    messages = messages.replace(DOUBT, "")
    if code != 130:
        _same_version(program)
    for doubt in doubts:
        warn(doubt)
    if code == 0 and flags.get("format") == "json" and not stdout.lstrip().startswith((b"[", b"{")):
        raise BreadboardError(
            "%s has printed no table; is it breadboard?" % program, code, command,
            stdout.decode("utf-8", "replace"), messages)
    for fault in raised:
        if isinstance(fault, Kept):
            raise fault
    if code == 0:
        return stdout, messages
    text = stdout.decode("utf-8", "replace")
    if code == 130:
        raise Interrupted(text, messages)
    kind = {1: Fault, 2: BadInput}.get(code, BreadboardError)
    error = kind("; ".join(filter(None, [what, hint])), code, command, text, messages)
    error.what, error.hint, error.choices = what, hint, parts.get("choices", [])
    error.unanswered = unanswered
    if raised:
        raise raised[0] from error
    raise error


def _shown(binary: Optional[Path], toy: Any) -> List[Dict[str, Any]]:
    """What toys show prints of a target."""
    found: List[Dict[str, Any]] = json.loads(
        run("toys", "show", toy, binary=binary, format="json")[0])
    return found


def find(binary: Optional[Path] = None) -> str:
    """Returns the program to run: the one that is given, or $BREADBOARD, or that of the same
    package, or breadboard in the PATH.
    """
    name = os.fspath(binary or os.environ.get("BREADBOARD") or "")
    found = shutil.which(name) if name else _packaged() or shutil.which("breadboard")
    if found is None:
        raise FileNotFoundError(
            "there is no program %r; install the wheel, or make the program by `go build "
            "./cmd/breadboard` in a clone, and put it into the PATH or its path into the "
            "environment variable BREADBOARD" % (name or "breadboard"))
    return os.path.abspath(found)


@functools.lru_cache(maxsize=None)
def _packaged() -> Optional[str]:
    """The program that was installed with this module; None if the module is not installed. It
    is at most three folders above the module, and beside it after pip install --target.
    """
    folder = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    if not glob.glob(os.path.join(glob.escape(folder), "breadboard_exact-*.dist-info")):
        return None
    folders = [
        os.path.join(folder, *[os.pardir] * up, scripts) for up in range(4)
        for scripts in ("bin", "Scripts")]
    return shutil.which("breadboard", path=os.pathsep.join(map(os.path.normpath, folders)))


@functools.lru_cache(maxsize=None)
def _same_version(program: str) -> None:
    """Warns, once, if a program that was not installed with the module has another version."""
    if program == _packaged():
        return
    try:
        said = subprocess.run(
            [program, "--version"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, timeout=10).stdout.decode()
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return  # it is another program, which its own output shows
    found = re.match(r"breadboard (\d[^\s,]*)", said)
    version = found[1] if found else __version__
    if version != __version__:
        warn(
            "the program %s is breadboard %s, and the Python module is %s; install the wheel of "
            "one version, or name its program in the environment variable BREADBOARD"
            % (program, version, __version__))


class _Progress:
    """Shows how far a command is: a bar of tqdm from its lines, or the lines themselves; nothing
    if it is not wanted.

    wanted is None where it is only for somebody who watches: on a terminal or in a notebook,
    in one line.
    """

    def __init__(self, wanted: Optional[bool]) -> None:
        self.one_line = wanted is None
        self.wanted = _is_watched() if wanted is None else wanted
        self.what: str = ""
        self.bar: Any = None
        self.shown: int = 0

    def __enter__(self) -> Optional[Callable[[str], None]]:
        return self.show if self.wanted else None

    def show(self, line: str) -> None:
        found = STEPS.match(line)
        tqdm = _tqdm() if found or not self.one_line else None
        if tqdm is None and (found or not self.one_line):
            self._write(line)
        elif tqdm is not None and found:
            what, percent, steps = found[1], float(found[2]), int(found[3])
            if self.what != what:
                self.close()
                self.what, self.bar = what, tqdm(total=steps, desc=what)
            self.bar.n = round(percent / 100 * steps)
            self.bar.refresh()

    def _write(self, line: str) -> None:
        """Writes a line, over the one before where there is one line alone."""
        if self.one_line:
            text = line.rstrip("\n")
            line, self.shown = "\r" + text + " " * (self.shown - len(text)), len(text)
        sys.stderr.write(line)
        sys.stderr.flush()

    def close(self) -> None:
        if self.shown:
            self._write("")
            self._write("")
        if self.bar is not None:  # what comes next has begun, or all is done
            self.bar.n = self.bar.total
            self.bar.close()

    def __exit__(self, *error: Any) -> None:
        self.close()


def _tqdm() -> Any:
    """The bar of tqdm, which is loaded when there is something to show; None if it is not
    installed.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a notebook without ipywidgets shows the bar as text
            from tqdm.auto import tqdm
    except ImportError:
        return None
    return tqdm


STEPS = re.compile(r"(.*): ([\d.e+-]+)% of (\d+) steps")  # what a command writes of how far it is


def _is_watched() -> bool:
    """Whether what goes to standard error is seen while it is written: on a terminal, and in a
    notebook.
    """
    return "ipykernel" in sys.modules or bool(getattr(sys.stderr, "isatty", bool)())


def _follow(
    command: List[str], cwd: Optional[Path], show: Optional[Callable[[str], None]],
) -> Tuple[bytes, str, int]:
    """Runs a command to its end, and returns its output, its messages and its exit code. It
    passes on Ctrl-C.
    """
    # The command has a process group of its own: a Ctrl-C on a terminal would reach it twice else,
    # and the second one ends
    # it by force.
    own: Dict[str, Any] = {
        "start_new_session": True, "env": {
            **os.environ, "BREADBOARD_DOUBT": DOUBT, "BREADBOARD_ERROR": ERROR,
            "BREADBOARD_CALLER": "python", "BREADBOARD_PARENT": "1"}}
    stop: int = signal.SIGINT
    if sys.platform == "win32":
        del own["start_new_session"]
        own["creationflags"], stop = subprocess.CREATE_NEW_PROCESS_GROUP, signal.CTRL_BREAK_EVENT
    if show is not None:
        own["env"] = {"BREADBOARD_PROGRESS": "1s", **own["env"]}
    output: List[bytes] = []
    messages: List[bytes] = []
    started: List["subprocess.Popen[bytes]"] = []
    failed: List[BaseException] = []
    abandoned: List[bool] = []
    ended = threading.Event()

    def follow() -> None:
        try:
            with subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                cwd=cwd, **own) as p:
                started.append(p)
                if abandoned:
                    p.kill()
                assert p.stdout is not None and p.stderr is not None
                reader = threading.Thread(
                    target=lambda pipe: output.append(pipe.read()), args=(p.stdout,), daemon=True)
                reader.start()
                for line in p.stderr:
                    text = line.decode("utf-8", "replace")
                    if show is not None and not text.startswith(ERROR):
                        show(text.replace(DOUBT, ""))
                    if not STEPS.match(text):
                        messages.append(line)
                reader.join()
        except BaseException as error:
            failed.append(error)
        finally:
            ended.set()

    # Ctrl-C comes to the main thread, wherever that is. Another thread starts the command, since a
    # start that was broken off
    # would leave a command that nobody ends. An event says that it has ended: a join that Ctrl-C
    # breaks off can take the thread
    # for one that has ended (Python 3.11).
    follower = threading.Thread(target=follow, daemon=True)
    interrupts = passed_on = 0
    while True:
        try:
            if follower.ident is None:
                follower.start()
            while not ended.is_set():
                if passed_on < interrupts and started:
                    passed_on = interrupts
                    started[0].send_signal(stop)
                ended.wait(0.1)  # without a limit Windows would not notice Ctrl-C
            break
        except KeyboardInterrupt:
            interrupts += 1
        except BaseException:  # as that of a time limit: nobody waits for the command any longer
            abandoned.append(True)
            for p in started:
                p.kill()
            raise
    if failed:
        raise failed[0]
    code = 130 if interrupts else started[0].returncode
    return b"".join(output), b"".join(messages).decode("utf-8", "replace"), code


def reason(messages: str, code: int) -> str:
    """The line that says why a command has failed."""
    last = messages.rstrip("\n").split("\n")[-1]
    if last.startswith("breadboard: "):
        return last[len("breadboard: "):]
    return last or "breadboard ended with exit code %d and said nothing" % code
