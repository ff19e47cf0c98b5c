package programs

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
	"unicode"
	"unicode/utf8"

	"breadboard/chains"
	"breadboard/chains/errs"
	"breadboard/chains/selector"
)

const (
	// maxLine is the largest number of bytes of a line that a program may write.
	maxLine = 16_000_000
	// keepStderr is the number of bytes that are kept, for messages, of what a program last wrote
	// to standard error.
	keepStderr = 2048
)

// segment matches what is in single quotes, what is in double quotes, and what is in none.
var segment = regexp.MustCompile(`'[^']*'|"[^"]*"|[^'"]+`)

// process is a running program that is spoken to in lines of JSON.
type process struct {
	command command
	// returns the error of the context of the run; when that ends, the program is ended
	interrupted func() error
	limits
	watch  watch  // told when a reply takes long
	meter  *meter // the meter of the program, to which the cost of this process is added
	asked  string // what the program was asked for last, as messages say it
	fresh  bool   // whether the program is started for the first time
	run    *runner
	stdin  io.WriteCloser
	stdout *bufio.Reader
	stderr tail
	ended  chan struct{} // closed when the program has ended
	status string        // how the program ended, where it ended by itself and failed; else empty
	stop   sync.Once
}

// limits are the time that a process has for its first line and for each reply, and how many bytes
// a line may have.
type limits struct {
	first, deadline time.Duration
	longest         int
}

// startProcess starts a command within limits. The cost of the process is added to the meter. The
// watch hears what is waited for when the process is silent.
func startProcess(ctx context.Context, command command, l limits, m *meter, w watch) (*process, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	defer func(begin time.Time) { m.waited += time.Since(begin) }(time.Now())
	run, err := newRunner(command.words)
	if err != nil {
		return nil, notStarted(command.text, err)
	}
	p := &process{
		command:     command,
		interrupted: ctx.Err,
		limits:      l,
		watch:       w,
		meter:       m,
		asked:       firstLine,
		fresh:       m.lines == 0,
		run:         run,
		ended:       make(chan struct{}),
	}
	run.cmd.Stderr = &p.stderr
	run.cmd.WaitDelay = time.Second
	if err := p.connect(); err != nil {
		run.discard()
		return nil, fmt.Errorf("starting %q: %w", command.text, err)
	}
	if err := run.start(); err != nil {
		return nil, notStarted(command.text, err)
	}
	go p.closeWith(ctx)
	return p, nil
}

// closeWith closes the process when the context ends, also while no call waits for a reply. It
// returns when the process ends, so that a context that lives on does not keep the process in
// memory.
func (p *process) closeWith(ctx context.Context) {
	select {
	case <-ctx.Done():
		p.close()
	case <-p.ended:
	}
}

// connect makes the pipes to and from the program.
func (p *process) connect() (err error) {
	p.stdin, err = p.run.cmd.StdinPipe()
	if err != nil {
		return err
	}
	stdout, err := p.run.cmd.StdoutPipe()
	if err != nil {
		return errors.Join(err, p.stdin.Close())
	}
	p.stdout = bufio.NewReaderSize(stdout, 1<<16)
	return nil
}

// firstLine is what a program is asked for when it is started.
const firstLine = "for its first line"

// StartError is the error of a command that the system cannot start, or whose program ends before
// its first line or writes a first line that is none of the protocol. The command is wrong then: it
// is no fault of what the program would have answered.
type StartError struct{ error }

// Unwrap returns the error within.
func (e StartError) Unwrap() error { return e.error }

// notStarted returns the error for a command that the system cannot start.
func notStarted(command string, err error) error {
	if unknown, is := errors.AsType[*exec.Error](err); is { // it names the program again
		err = unknown.Err
	}
	cure := "check the path of the program and its permission to execute"
	if errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) {
		cure = "allow more open files (ulimit -n prints how many are allowed)"
	}
	return StartError{errs.New("starting %q: %w; %s", command, err, cure)}
}

// readLine returns the next line, without what ends it, in memory of its own. It returns
// bufio.ErrTooLong for one of more than that many bytes, and io.EOF after the last one. Time is
// proportional to the length of the line; that of a bufio.Scanner grows with the square.
func readLine(in *bufio.Reader, longest int) (line []byte, err error) {
	for {
		part, err := in.ReadSlice('\n')
		line = append(line, part...)
		whole := bytes.TrimSuffix(line, []byte("\n"))
		switch {
		case len(whole) > longest:
			return nil, bufio.ErrTooLong
		case err == nil, err == io.EOF && len(line) > 0:
			return bytes.TrimSuffix(whole, []byte("\r")), nil
		case err != bufio.ErrBufferFull:
			return nil, err
		}
	}
}

// ask sends a message and waits for the reply to it, which is decoded strictly into answer.
func (p *process) ask(message, answer any) error {
	line, err := p.exchange(message)
	if err != nil {
		return err
	}
	if err := decodeStrictly(line, answer); err != nil {
		return p.failure(fmt.Errorf("its line %s is not understood: %w", quote(line), err))
	}
	return nil
}

// exchange sends a message, and returns the program's next line. Without a message it waits for the
// first one, for which a program has more time, since it may have libraries to load.
func (p *process) exchange(message any) ([]byte, error) {
	deadline := p.deadline
	if message == nil {
		deadline = p.first
	}
	defer p.watched(deadline)()
	if message != nil || p.meter.lines > 0 {
		// what a program loads when it is started first says nothing of its answers
		defer func(begin time.Time) { p.meter.waited += time.Since(begin) }(time.Now())
	}
	if message != nil {
		line, err := json.Marshal(message)
		if err != nil {
			return nil, err
		}
		if err := p.send(append(line, '\n')); err != nil {
			return nil, err
		}
	}
	line, err := p.awaitLine(
		deadline,
		"it did not answer within %v; answer faster, or flush each line after it is written",
	)
	if err == io.EOF {
		err = p.failure(errors.New("it closed its output"))
	}
	return line, err
}

// awaitLine returns the program's next line, or io.EOF if there are no more after the first one. It
// ends a program that is too late, with the deadline put into the message late, one that ends
// before its first line, and one whose output cannot be read.
func (p *process) awaitLine(deadline time.Duration, late string) ([]byte, error) {
	over := p.limit(deadline)
	line, err := p.readOutput()
	switch {
	case over():
		return nil, p.failure(fmt.Errorf(late, deadline))
	case err == io.EOF && p.meter.lines == 0:
		return nil, p.silent()
	case err != nil && err != io.EOF:
		return nil, p.failure(err)
	}
	return line, err
}

// readOutput reads the next line of the program. It returns io.EOF if there are no more.
func (p *process) readOutput() ([]byte, error) {
	line, err := readLine(p.stdout, p.longest)
	switch {
	case err == io.EOF, errors.Is(err, os.ErrClosed):
		return nil, io.EOF
	case errors.Is(err, bufio.ErrTooLong):
		return nil, errs.New("it wrote a line that does not end; the limit is %s",
			selector.Bytes(int64(p.longest)))
	case err != nil:
		return nil, fmt.Errorf("reading its output: %w", err)
	}
	p.meter.lines++
	p.meter.said += int64(len(line))
	return line, nil
}

// limit ends the program after a time, unless the function that it returns is called before. That
// function reports whether the time was over. The end of the program also ends a read or a write
// that waits for it, so that no other goroutine has to read and write, which is slower.
func (p *process) limit(after time.Duration) (over func() bool) {
	timer := time.AfterFunc(after, p.close)
	return func() bool { return !timer.Stop() }
}

// unanswered is how long a program may be silent before a message names the pending request.
const unanswered = 5 * time.Second

// watched has the watch told that the program has not answered, unless the function that it returns
// is called before that.
func (p *process) watched(deadline time.Duration) (answered func()) {
	w := p.watch
	if w.tell == nil || deadline <= w.after {
		return func() {}
	}
	what := fmt.Sprintf("program %q, asked %s, has not answered for %v; the limit is %v", p.command.text,
		p.asked, w.after, deadline)
	timer := time.AfterFunc(w.after, func() { w.tell(what) })
	return func() { timer.Stop() }
}

// send writes a line to the program. It fails if the program does not read the line within the
// deadline.
func (p *process) send(line []byte) error {
	over := p.limit(p.deadline)
	_, err := p.stdin.Write(line)
	switch {
	case over():
		return p.failure(fmt.Errorf("it did not read its input within %v", p.deadline))
	case errors.Is(err, syscall.EPIPE), errors.Is(err, os.ErrClosed):
		err = errors.New("it has closed its input or exited")
	}
	if err != nil {
		return p.failure(fmt.Errorf("it does not take input: %w", err))
	}
	return nil
}

// ProgramError is the error of a program that breaks the protocol or its time limit.
type ProgramError struct{ error }

// Unwrap returns the error within.
func (e ProgramError) Unwrap() error { return e.error }

// failure ends the program and returns the error with the command, what the program was asked for,
// how it ended and the last of what it wrote to standard error.
func (p *process) failure(err error) error {
	p.close()
	if err := p.interrupted(); err != nil {
		return err // the program was ended by us, so that its errors say nothing about it
	}
	err = p.withEnd(fmt.Errorf("program %q, asked %s: %w", p.command.text, p.asked, err))
	if p.fresh && p.asked == firstLine {
		return StartError{err}
	}
	return ProgramError{chains.NewFault(err)}
}

// silent ends a program that has closed its output before its first line, and returns the error of
// one that could not be started.
func (p *process) silent() error {
	p.close()
	if err := p.interrupted(); err != nil {
		return err
	}
	cure := ""
	if p.status == "" {
		cure = "; let it answer until its standard input ends"
	}
	return StartError{p.withEnd(fmt.Errorf("starting %q: it exited or closed its output before its first line%s",
		p.command.text, cure))}
}

// withEnd returns an error with how the program ended and the last of what it wrote to standard
// error.
func (p *process) withEnd(err error) error {
	if p.status != "" {
		err = fmt.Errorf("%w (%s)", err, p.status)
	}
	if last := lastWords(p.stderr.String()); last != "" {
		err = errs.New("%w; its last output on stderr: %s", err, quotedLine(last))
	}
	return err
}

// close kills the program and whatever it has started, and waits for it.
func (p *process) close() {
	p.stop.Do(func() {
		close(p.ended)
		p.status = p.run.end()
		p.stdin.Close()
	})
}

// lastWords returns the end of what a program wrote to standard error in one line of about
// mostQuoted bytes. Its lines are separated by bars. Those that only underline the one before are
// left out: tracebacks of Python have them.
func lastWords(written string) string {
	lines := strings.FieldsFunc(written, func(r rune) bool { return r == '\n' || r == '\r' })
	words := ""
	for _, line := range slices.Backward(lines) {
		line = strings.TrimSpace(line)
		switch {
		case strings.Trim(line, "^~ ") == "":
			continue
		case words == "":
			words = line[max(0, len(line)-mostQuoted):]
			continue
		case len(line)+len(words) > mostQuoted:
			return words
		}
		words = line + " | " + words
	}
	return words
}

// quotedLine returns a line in quotes. Quotes within it stay as they are. It is escaped if it has
// anything that a terminal might obey.
func quotedLine(line string) string {
	if strings.ContainsFunc(line, func(r rune) bool { return !unicode.IsPrint(r) || r == utf8.RuneError }) {
		return strconv.Quote(line)
	}
	return `"` + line + `"`
}

// mostQuoted is the largest number of bytes of a program's own text in a message.
const mostQuoted = 200

// quote returns a text that a program wrote, shortened and in quotes, for a message.
func quote(text []byte) string {
	s := strings.TrimSpace(string(text))
	if len(s) > mostQuoted {
		s = s[:mostQuoted] + "..."
	}
	return fmt.Sprintf("%q", s)
}

// tail is a writer that keeps the end of what is written to it. It takes any number of bytes.
type tail struct {
	mu   sync.Mutex
	last []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last = append(t.last, p[max(0, len(p)-keepStderr):]...)
	if extra := len(t.last) - keepStderr; extra > 0 {
		t.last = append(t.last[:0], t.last[extra:]...)
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.last)
}
