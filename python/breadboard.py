"""Runs the program breadboard from Python, and lets it examine kernels and samplers that are written in Python.

This is one file without dependencies: copy it beside your own program. It needs Python 3.8 or later. NumPy is used where it
is there, and the program itself is found as `breadboard` in the PATH, or where the environment variable BREADBOARD says.

    import breadboard

    rows = breadboard.rows("tightness", toy="barrier", T=[100, 1000])
    print(rows[0]["J"], rows[0]["B"])             # in nats

    exact = breadboard.arrays(toy="barrier", T=100)
    print(exact["q"])                             # the law of the sampler's output, in the shape of the grid

A kernel of your own is a function that asks a chooser for every random choice. Then its exact J and B are known:

    def move(chooser, logf, shape, x):
        y = chooser.uniform(len(logf))            # a whole number below len(logf)
        accept = math.exp(min(0.0, logf[y] - logf[x]))
        return y if chooser.flip(accept) else x

    breadboard.serve_kernel(move)                 # the last line of my_kernel.py

    breadboard kernel check "exec:python3 my_kernel.py"

`breadboard help python` has more.
"""
import array
import ast
import contextlib
import csv
import io
import json
import math
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import zipfile

try:
    import numpy
except ImportError:
    numpy = None

__all__ = [
    "BadInput", "BreadboardError", "Draws", "Fault", "Interrupted", "Rows", "arrays", "columns", "find", "read", "rows", "run",
    "serve_kernel", "serve_moves", "serve_sampler",
]


# Running commands.


class BreadboardError(Exception):
    """A command has failed. str() is its message.

    code is its exit code, command the list of its words, messages all that it wrote to standard error, and stdout what it
    had written to standard output.
    """

    def __init__(self, message, code, command, stdout, messages):
        super().__init__(message)
        self.code, self.command, self.stdout, self.messages = code, command, stdout, messages

    @property
    def rows(self):
        """The rows that the command had printed as JSON before it failed; empty where there are none."""
        return _rows_of(self.stdout, self.messages)


class Fault(BreadboardError):
    """A check has found a fault: exit code 1. rows has the table of the check."""


class BadInput(BreadboardError):
    """The input was bad, and nothing was computed: exit code 2. The message says what is wrong, where, and what to do."""


class Interrupted(KeyboardInterrupt):
    """The command was ended by Ctrl-C. rows has what it had printed until then; empty where that is nothing."""

    def __init__(self, stdout="", messages=""):
        super().__init__("breadboard was interrupted")
        self.stdout, self.messages = stdout, messages

    @property
    def rows(self):
        return _rows_of(self.stdout, self.messages)


class Rows(list):
    """The rows of a table: a list of dicts. messages is what the command wrote to standard error, such as notes."""

    def __init__(self, rows, messages=""):
        super().__init__(rows)
        self.messages = messages


def rows(*words, **flags):
    """Runs a command and returns the rows of its table, a list of dicts.

        rows("tightness", toy=["barrier", "random:2:7"], T=[10, 1000], check=True)

    runs `breadboard tightness --toy barrier,random:2:7 -T 10,1000 --check`. A flag of one letter is written with one dash, an
    underscore in a name is a dash, a list is joined by commas, True stands for a flag without a value, and None and False for
    one that is left out. A toy may be an array of log f, in nats and in the shape of the grid: it goes through a temporary file, and the
    column toy calls it array, or array0, array1 and so on by its place in a list of toys. Words are passed on as they are, so rows("tightness", "--toy", "barrier") is the same.

    Numbers that are not finite are floats (inf, -inf, nan), and cells without a value are None. All floats are the very
    ones that breadboard has computed. pandas.DataFrame(rows) makes a data frame. See run for the errors and for the keywords
    binary, cwd and progress.
    """
    stdout, messages = run(*words, format="json", **flags)
    return _rows_of(stdout, messages)


def read(path):
    """Returns the rows of a table in a file that breadboard has written as JSON, as rows() does.

    Such a file comes from --format json, and every run with --out DIR leaves one for each table. A file that holds no such
    table is a ValueError.
    """
    with open(path, encoding="utf-8") as file:
        try:
            table = json.load(file)
        except ValueError as error:
            raise ValueError("%s is not JSON: %s; --format json writes it" % (path, error)) from None
    if not isinstance(table, list) or not all(isinstance(row, dict) for row in table):
        raise ValueError("%s is JSON, but no table; a table is a list with an object for each row" % path)
    return _finished(table)


def columns(table):
    """Returns the columns of a table by name: an array where all values are numbers and NumPy is there, and else a list.

    None, which stands for a cell without a value, is nan in an array.
    """
    names = list(dict.fromkeys(name for row in table for name in row))
    out = {}
    for name in names:
        values = [row.get(name) for row in table]
        known = [v for v in values if v is not None]
        if numpy is not None and known and all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in known):
            whole = len(known) == len(values) and all(isinstance(v, int) and abs(v) < 2**63 for v in values)
            out[name] = numpy.array([math.nan if v is None else v for v in values], dtype="i8" if whole else "f8")
        else:
            out[name] = values
    return out


def arrays(*words, **flags):
    """Returns the exact arrays of one annealing by name, as `breadboard export` writes them.

        arrays(toy="barrier", T=100, arrays=["p", "q"])

    `breadboard export --help` lists the arrays with their shapes. They are NumPy arrays, and where NumPy is not there nested
    lists, or a plain number where an array has no dimensions.
    """
    stdout, _ = run("export", *words, format="npz", binary_output=True, **flags)
    with zipfile.ZipFile(io.BytesIO(stdout)) as members:
        return {name[: -len(".npy")]: _read_npy(members.read(name)) for name in members.namelist()}


def run(*words, binary=None, cwd=None, progress=False, binary_output=False, **flags):
    """Runs a command and returns what it has written to standard output and to standard error, as two strings.

    binary is the program to run, where it is not the one that find() returns; cwd is the folder in which it runs; with
    progress=True what it writes to standard error is also shown at once. With binary_output=True the output is bytes.

    It raises Fault where a check has found a fault, BadInput where the input is bad, and BreadboardError where something else
    went wrong, such as a full disk. Ctrl-C ends the command in its own way and raises Interrupted, a KeyboardInterrupt.
    """
    with contextlib.ExitStack() as kept:
        flags = _with_files(flags, lambda: kept.enter_context(tempfile.TemporaryDirectory(prefix="breadboard-")))
        command = [find(binary)] + [str(word) for word in words] + _flags(flags)
        stdout, messages, code = _follow(command, cwd, progress)
    text = stdout if binary_output else stdout.decode("utf-8")
    if code == 0:
        return text, messages
    text = "" if binary_output else text
    if code == 130:
        raise Interrupted(text, messages)
    kind = {1: Fault, 2: BadInput}.get(code, BreadboardError)
    raise kind(_reason(messages, code), code, command, text, messages)


def find(binary=None):
    """Returns the program to run: the one that is given, or $BREADBOARD, or breadboard in the PATH."""
    name = os.fspath(binary or os.environ.get("BREADBOARD") or "breadboard")
    found = shutil.which(name)
    if found is None:
        raise FileNotFoundError(
            "there is no program %r; make one by `go build ./cmd/breadboard` in a clone, and put it into the PATH or its "
            "path into the environment variable BREADBOARD" % name)
    return os.path.abspath(found)


def _flags(flags):
    """The words for flags that are given by keywords."""
    words = []
    for name, value in flags.items():
        if value is None or value is False:
            continue
        flag = "-" + name if len(name) == 1 else "--" + name.replace("_", "-")
        # A value is joined to its flag, so that one that begins with a dash is no flag.
        words += [flag] if value is True else [flag + "=" + _text(value)] if len(name) > 1 else [flag, _text(value)]
    return words


def _with_files(flags, folder):
    """The flags, with a file for each array that stands for a toy, in a folder that folder() makes."""
    if "toy" not in flags:
        return flags
    toys = flags["toy"]
    if _is_array(toys):
        return dict(flags, toy=_file(toys, folder, "array"))
    if isinstance(toys, (list, tuple)) and any(_is_array(toy) or isinstance(toy, (list, tuple)) for toy in toys):
        if not any(_is_array(toy) for toy in toys):
            raise TypeError("a toy is a list of lists; write numpy.array(...) for an array of log f, or a list of selectors for several toys")
        return dict(flags, toy=[_file(toy, folder, "array%d" % i) if _is_array(toy) else toy for i, toy in enumerate(toys)])
    if isinstance(toys, (list, tuple)) and toys and all(isinstance(toy, (int, float)) for toy in toys):
        raise TypeError("a toy is a list of numbers; write numpy.array(...) for an array of log f")
    return flags


def _is_array(value):
    """Whether a value is an array of NumPy with numbers in it, and no single number or list of selectors."""
    return numpy is not None and isinstance(value, numpy.ndarray) and value.dtype.kind in "fiu" and value.ndim > 0


def _file(array, folder, name):
    """The selector of a toy that has an array as log f, which is written to a folder."""
    path = os.path.join(folder(), name + ".npy")
    numpy.save(path, numpy.asarray(array, dtype="f8"))
    return "%s=file:%s" % (name, path)


def _text(value):
    """The value of a flag as it is written on a command line. The parts of a list are quoted where they have a comma."""
    if hasattr(value, "tolist"):  # an array, or a number of NumPy
        value = value.tolist()
    if isinstance(value, (list, tuple, set, range)):
        line = io.StringIO()
        csv.writer(line, lineterminator="").writerow([_text(v) for v in value])
        return line.getvalue()
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return str(int(value))  # a flag that takes a whole number takes 100.0 too
    return str(value)


def _follow(command, cwd, progress):
    """Runs a command to its end, and returns its output, its messages and its exit code. It passes on Ctrl-C."""
    # The command has a process group of its own: a Ctrl-C on a terminal would reach it twice else, and the second one ends
    # it by force.
    own = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP} if os.name == "nt" else {"start_new_session": True}
    stop = signal.CTRL_BREAK_EVENT if os.name == "nt" else signal.SIGINT
    output, messages = [], []
    started, failed, abandoned, ended = [], [], [], threading.Event()

    def read(pipe, to, show):
        for line in pipe:
            to.append(line)
            if show:
                sys.stderr.write(line.decode("utf-8", "replace"))
                sys.stderr.flush()

    def follow():
        try:
            with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=cwd, **own) as p:
                started.append(p)
                if abandoned:
                    p.kill()
                reader = threading.Thread(target=read, args=(p.stdout, output, False), daemon=True)
                reader.start()
                read(p.stderr, messages, progress)
                reader.join()
        except BaseException as error:
            failed.append(error)
        finally:
            ended.set()

    # Ctrl-C comes to the main thread, wherever that is. Another thread starts the command, since a start that was broken off
    # would leave a command that nobody ends. An event says that it has ended: a join that Ctrl-C breaks off can take the thread
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


def _reason(messages, code):
    """The line that says why a command has failed."""
    lines = messages.rstrip("\n").split("\n")
    last = lines[-1]
    if last.startswith("breadboard: "):
        return last[len("breadboard: "):]
    return last or "breadboard ended with exit code %d and said nothing" % code


def _rows_of(stdout, messages):
    """The rows of a table that is written as JSON; none where there is no table."""
    try:
        table = json.loads(stdout) if stdout else []
    except ValueError:
        return Rows([], messages)
    return _finished(table, messages)


def _finished(table, messages=""):
    """The rows of a table with floats for what JSON has no numbers for."""
    infinite = {"+Inf": math.inf, "-Inf": -math.inf, "NaN": math.nan}
    return Rows([{k: infinite.get(v, v) if isinstance(v, str) else v for k, v in row.items()} for row in table], messages)


def _read_npy(data):
    """Reads a .npy file from its bytes: an array of NumPy, or nested lists without it."""
    if numpy is not None:
        return numpy.load(io.BytesIO(data), allow_pickle=False)
    size, at = (2, 10) if data[6] == 1 else (4, 12)
    end = at + int.from_bytes(data[8 : 8 + size], "little")
    header = ast.literal_eval(data[at:end].decode("latin-1"))
    kind, shape = header["descr"], header["shape"]
    if header["fortran_order"]:
        raise ValueError("the array is in Fortran's order; NumPy is needed to read it")
    if kind[1] == "U":
        width = 4 * int(kind[2:])
        flat = [data[i : i + width].decode("utf-32-" + ("le" if kind[0] == "<" else "be")).rstrip("\0") for i in range(end, len(data), width)]
    elif kind in ("|b1", "?"):
        flat = [bool(v) for v in data[end:]]
    else:
        flat = array.array({"<f8": "d", "<i8": "q", "<i4": "i", "<f4": "f", "|u1": "B"}[kind], data[end:])
        if sys.byteorder == "big":
            flat.byteswap()
        flat = flat.tolist()
    for side in reversed(shape[1:]):
        count = len(flat) // side if side else 0
        flat = [flat[i * side : (i + 1) * side] for i in range(count)]
    return flat if shape else flat[0]


# Kernels and samplers that are written in Python. PROTOCOL.md of breadboard says what is said on the two pipes.


class Draws:
    """A chooser that draws random numbers: what a kernel asks for its choices where it is run, and not examined.

    They come from a seed, or from a random.Random that is given in its place.
    """

    def __init__(self, seed=None):
        self.random = seed if isinstance(seed, random.Random) else random.Random(seed)

    def uniform(self, n):
        """A whole number from 0 to n - 1, each with the same probability."""
        return self.random.randrange(n)

    def flip(self, p):
        """True with probability p, and else False."""
        return self.random.random() < p

    def choose(self, probabilities):
        """An index, with these probabilities."""
        return self.random.choices(range(len(probabilities)), weights=probabilities)[0]


class _Abort(BaseException):
    """breadboard does not want to know how a move goes on. It is no Exception, so that a kernel does not catch it."""


class _Asker:
    """The chooser that asks breadboard for each choice, so that breadboard can walk through all of them."""

    def __init__(self, pipe):
        self._pipe = pipe

    def uniform(self, n):
        return self._ask({"uniform": int(n)})

    def flip(self, p):
        return self._ask({"flip": float(p)}) == 1

    def choose(self, probabilities):
        return self._ask({"choose": [float(p) for p in probabilities]})

    def _ask(self, question):
        self._pipe.say(question)
        answer = self._pipe.hear()
        if "abort" in answer:
            raise _Abort
        return answer["outcome"]


class _Pipe:
    """The two pipes to breadboard. What the function itself prints goes to standard error."""

    def __init__(self):
        self._in, self._out = sys.stdin, sys.stdout
        sys.stdout = sys.stderr

    def say(self, message):
        self._out.write(json.dumps(message) + "\n")
        self._out.flush()

    def hear(self):
        line = self._in.readline()
        if not line:
            sys.exit(0)  # breadboard has ended
        return json.loads(line)


def serve_kernel(move, name=None, couple=None, **hello):
    """Serves a kernel that asks for its random choices. Its transition matrix is then known exactly, and so are J and B.

    move(chooser, logf, shape, x) returns the state to which the chain moves from the state x. It makes no random choice of its
    own, but asks for every one by chooser.uniform(n), chooser.flip(p) and chooser.choose(probabilities). States are whole
    numbers from 0, row-major; logf is the list of log f of all states, in nats and up to a constant, where -inf is a zero of
    f; shape is the list of the sides of the grid, and of a graph that of its number of states. What it returns may depend on
    nothing but these. Further keywords are sent with the name, for fields of the first line of the protocol.

    couple(chooser, logf, shape, x, y), where it is given, moves two chains together and returns where both go, for
    `breadboard couple check`. The chooser is asked for every choice, as by move.

    It returns when breadboard has no more questions: make it the last line of a program.
    """
    pipe = _hello(move, name, "choose", hello)
    chooser = _Asker(pipe)

    def answer(logf, shape, request):
        try:
            if "couple" in request:
                return {"states": _together(couple, chooser, logf, shape, request)}
            return {"state": int(move(chooser, logf, shape, request["move"]))}
        except _Abort:
            return {"aborted": True}

    _answer_requests(pipe, answer)


def serve_moves(move, name=None, couple=None, **hello):
    """Serves a kernel that draws random numbers itself. What comes out is tested, and no exact answers are known.

    move(rng, logf, shape, x) returns the state to which the chain moves from x. rng is a random.Random, which is seeded anew for
    each request; take no other random numbers, so that what was found can be found again. See serve_kernel for the rest;
    couple takes the rng in place of a chooser.
    """
    pipe = _hello(move, name, "sample", hello)

    def answer(logf, shape, request):
        rng, counts = random.Random(request["seed"]), {}
        if "couple" in request:
            for _ in range(request["moves"]):
                pair = tuple(_together(couple, rng, logf, shape, request))
                counts[pair] = counts.get(pair, 0) + 1
            return {"pairs": [[x, y, n] for (x, y), n in counts.items()]}
        for _ in range(request["moves"]):
            y = int(move(rng, logf, shape, request["sample"]))
            counts[y] = counts.get(y, 0) + 1
        return {"counts": counts}

    _answer_requests(pipe, answer)


def _together(couple, chooser, logf, shape, request):
    """Where a coupling takes both chains."""
    if couple is None:
        raise TypeError("two chains are to be moved together, and no function does that: serve the kernel with couple=")
    x, y = couple(chooser, logf, shape, *request["couple"])
    return [int(x), int(y)]


def _hello(move, name, mode, fields):
    """Says the first line, and returns the pipe."""
    pipe = _Pipe()
    pipe.say(dict({"kernel": name or getattr(move, "__name__", "a kernel in Python"), "mode": mode}, **fields))
    return pipe


def _answer_requests(pipe, answer):
    """Answers requests for moves until the input ends. A distribution holds until the next one is told."""
    logf, shape = [], []
    while True:
        request = pipe.hear()
        if "logf" in request:
            logf = [-math.inf if v is None else v for v in request["logf"]]
            shape = request["shape"]
            reply = {"ready": True}
        else:
            reply = answer(logf, shape, request)
        pipe.say(dict(reply, id=request["id"]))


def serve_sampler(forward=None, reverse=None, name="a sampler in Python"):
    """Serves an implementation of annealing to `breadboard conform run`, which finds what is wrong with it.

    forward(chains, seed) draws so many forward chains with random numbers that begin anew from the seed, and returns a dict of
    columns, each with a value for each chain: log_w, x_first, x_last, path or increments, as lists or as NumPy arrays. reverse
    does the same for reverse chains; one of the two may be left out. path has a row for each t = 1..T and increments one for
    each t = 2..T.
    """
    pipe = _Pipe()
    pipe.say({"sampler": name})
    makers = {"forward": forward, "reverse": reverse}
    while True:
        request = pipe.hear()
        make = makers[request["direction"]]
        reply = {"unsupported": True}
        if make is not None:
            reply = {k: _column(v) for k, v in make(request["chains"], request["seed"]).items()}
        pipe.say(dict(reply, id=request["id"]))


def _column(value):
    """A column as JSON can say it: lists, whole numbers as such, and infinities as strings."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return [_column(v) for v in value]
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if value != value else "+Inf" if value > 0 else "-Inf"
    return value
