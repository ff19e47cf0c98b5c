package programs

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/kballard/go-shellquote"

	"breadboard/chains"
	"breadboard/chains/selector"
)

const (
	// maxLine is the largest number of bytes of a line that a program may write.
	maxLine = 16_000_000
	// keepStderr is the number of bytes that are kept, for messages, of what a program last wrote
	// to standard error.
	keepStderr = 2048
)

// command is what starts a program.
type command struct {
	text  string   // as messages name it
	words []string // the program and its arguments; no shell is involved
}

// splitCommand returns the command of a text, which is split as a shell does.
func splitCommand(text string) (command, error) {
	words, err := splitWords(text, runtime.GOOS == "windows")
	switch {
	case err != nil:
		return command{}, fmt.Errorf(
			"exec:%s: %w; quote what has blanks, as in exec:python3 'my kernel.py', or write exec:[\"python3\", \"my kernel.py\"]",
			text, err)
	case len(words) == 0 || words[0] == "":
		return command{}, errors.New("no command; write exec:COMMAND, as in exec:python3 kernel.py")
	}
	for i, word := range words {
		if inner, opened := strings.CutPrefix(word, "'"); opened && strings.HasSuffix(inner, "'") {
			words[i] = strings.TrimSuffix(inner, "'")
		}
	}
	return command{text, words}, nil
}

// segment matches what is in single quotes, what is in double quotes, and what is in none.
var segment = regexp.MustCompile(`'[^']*'|"[^"]*"|[^'"]+`)

// splitWords returns the words of a command: those of a JSON array, or those of a text with blanks
// between them, in which quotes mean what they mean to a POSIX shell. On Windows a backslash is
// part of a path, and quotes nothing.
func splitWords(text string, windows bool) (words []string, err error) {
	if strings.HasPrefix(strings.TrimSpace(text), "[") {
		err = decodeStrictly([]byte(text), &words)
		return words, err
	}
	if windows {
		text = segment.ReplaceAllStringFunc(text, func(s string) string {
			if s[0] == '\'' {
				return s
			}
			return strings.ReplaceAll(s, `\`, `\\`)
		})
	}
	return shellquote.Split(text)
}

// joinCommand returns the command of words, which may have blanks in them. The text has such words
// in quotes.
func joinCommand(words []string) (command, error) {
	if len(words) == 0 || words[0] == "" {
		return command{}, errors.New(
			"no command; write the program and its arguments, as in python3 my_ais.py")
	}
	shown := make([]string, len(words))
	for i, word := range words {
		shown[i] = word
		if word == "" || strings.ContainsFunc(
			word, func(r rune) bool { return !unicode.IsPrint(r) || r == ' ' || r == '"' }) {
			shown[i] = strconv.Quote(word)
		}
	}
	return command{strings.Join(shown, " "), slices.Clone(words)}, nil
}

// process is a running program that is spoken to in lines of JSON.
type process struct {
	command  command
	ctx      context.Context // when it ends, the program is ended
	deadline time.Duration   // for a reply
	first    time.Duration   // for the first line
	watch    watch           // told when a reply takes long
	meter    *meter          // the meter of the program, to which the cost of this process is added
	asked    string          // what the program was asked for last, as messages say it
	run      *runner
	stdin    io.WriteCloser
	lines    chan reply
	stderr   tail
	ended    chan struct{} // closed when the program has ended
	status   string        // how the program ended, where it ended by itself and failed; else empty
	stop     sync.Once
}

type reply struct {
	line []byte
	err  error
}

// startProcess starts a command whose lines have at most so many bytes, with the time that it has
// for its first line and for each reply. The cost of the process is added to the meter. The watch
// hears what is waited for when the process is silent.
func startProcess(ctx context.Context, command command, first, deadline time.Duration, longest int, m *meter,
	w watch) (*process, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	defer func(begin time.Time) { m.waited += time.Since(begin) }(time.Now())
	run, err := newRunner(command.words)
	if err != nil {
		return nil, notStarted(command.text, err)
	}
	p := &process{
		command:  command,
		ctx:      ctx,
		first:    first,
		deadline: deadline,
		watch:    w,
		meter:    m,
		asked:    "for its first line",
		run:      run,
		lines:    make(chan reply),
		ended:    make(chan struct{}),
	}
	run.cmd.Stderr = &p.stderr
	run.cmd.WaitDelay = time.Second
	stdout, err := p.connect()
	if err != nil {
		run.discard()
		return nil, fmt.Errorf("starting %q: %w", command.text, err)
	}
	if err := run.start(); err != nil {
		return nil, notStarted(command.text, err)
	}
	go p.read(stdout, longest)
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

// connect makes the pipes to and from the program, and returns its output.
func (p *process) connect() (stdout io.ReadCloser, err error) {
	p.stdin, err = p.run.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err = p.run.cmd.StdoutPipe()
	if err != nil {
		return nil, errors.Join(err, p.stdin.Close())
	}
	return stdout, nil
}

// StartError is the error of a command that the system cannot start, or that ends before its first
// line, such as an interpreter that does not find its script. It is not an answer of the program.
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
	return StartError{fmt.Errorf("starting %q: %w; %s", command, err, cure)}
}

// read passes on lines, of at most that many bytes, until the program closes its output or the
// process is closed.
func (p *process) read(stdout io.Reader, longest int) {
	defer close(p.lines)
	in := bufio.NewReaderSize(stdout, 1<<16)
	send := func(r reply) bool {
		select {
		case p.lines <- r:
			return true
		case <-p.ended:
			return false
		}
	}
	for {
		line, err := readLine(in, longest)
		switch {
		case err == io.EOF:
			return
		case errors.Is(err, bufio.ErrTooLong):
			err = fmt.Errorf(
				"it wrote a line that does not end; the limit is %s", selector.Bytes(int64(longest)))
		case err != nil:
			err = fmt.Errorf("reading its output: %w", err)
		}
		if !send(reply{line, err}) || err != nil {
			return
		}
	}
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
	timer := time.NewTimer(deadline)
	defer timer.Stop()
	select {
	case r, ok := <-p.lines:
		if !ok && message == nil && p.meter.lines == 0 {
			return nil, p.silent()
		}
		if !ok {
			return nil, p.failure(errors.New("it closed its output"))
		}
		if r.err != nil {
			return nil, p.failure(r.err)
		}
		p.meter.lines++
		p.meter.said += int64(len(r.line))
		return r.line, nil
	case <-p.ctx.Done():
		p.close()
		return nil, p.ctx.Err()
	case <-timer.C:
		return nil, p.failure(fmt.Errorf(
			"it did not answer within %v; answer faster, or flush each line after it is written", deadline))
	}
}

// Unanswered is how long a program may be silent before a message names the pending request.
const Unanswered = 5 * time.Second

// watch gets a sentence on which program has not answered for a time, and to what. Without tell
// there is no message.
type watch struct {
	after time.Duration
	tell  func(what string)
}

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
	done := make(chan error, 1)
	go func() {
		_, err := p.stdin.Write(line)
		done <- err
	}()
	timer := time.NewTimer(p.deadline)
	defer timer.Stop()
	select {
	case err := <-done:
		if err != nil {
			if errors.Is(err, syscall.EPIPE) {
				err = errors.New("it has closed its input or exited")
			}
			return p.failure(fmt.Errorf("it does not take input: %w", err))
		}
		return nil
	case <-p.ctx.Done():
		p.close()
		return p.ctx.Err()
	case <-timer.C:
		return p.failure(fmt.Errorf("it did not read its input within %v", p.deadline))
	}
}

// ProgramError is the error of a program that breaks the protocol or its time limit.
type ProgramError struct{ error }

// Unwrap returns the error within.
func (e ProgramError) Unwrap() error { return e.error }

// failure ends the program and returns the error with the command, what the program was asked for,
// how it ended and the last of what it wrote to standard error.
func (p *process) failure(err error) error {
	p.close()
	if p.ctx.Err() != nil {
		return p.ctx.Err() // the program was ended by us, so that its errors say nothing about it
	}
	return ProgramError{
		chains.NewFault(p.withEnd(fmt.Errorf("program %q, asked %s: %w", p.command.text, p.asked, err)))}
}

// silent ends a program that has closed its output before its first line, and returns the error of
// one that could not be started.
func (p *process) silent() error {
	p.close()
	if p.ctx.Err() != nil {
		return p.ctx.Err()
	}
	cure := ""
	if p.status == "" {
		cure = "; let it answer until its standard input ends"
	}
	return StartError{p.withEnd(fmt.Errorf(
		"starting %q: it exited or closed its output before its first line%s", p.command.text, cure))}
}

// withEnd returns an error with how the program ended and the last of what it wrote to standard
// error.
func (p *process) withEnd(err error) error {
	if p.status != "" {
		err = fmt.Errorf("%w (%s)", err, p.status)
	}
	if last := lastWords(p.stderr.String()); last != "" {
		err = fmt.Errorf("%w; its last output on stderr: %s", err, quotedLine(last))
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

// These constants bound what a program may cost. PROTOCOL.md has the same numbers. The first four
// hold for all that is asked about one state under one distribution, however often the program is
// started again meanwhile.
const (
	// maxWalked is the largest number of choices, which take some seconds. It is also the largest
	// number of outcomes of one choice, since each outcome has to be enumerated.
	maxWalked = 100_000
	// maxSaid is the largest number of bytes in the program's lines. A choice with a long list is
	// read again for each of its outcomes, some fifty million bytes a second.
	maxSaid = 128_000_000
	// maxRestarts is how often a program may have to be started again because it does not
	// understand abort.
	maxRestarts = 64
	// startReplies bounds the time until the first line, as a multiple of the deadline for one
	// reply.
	startReplies = 12
	// stateReplies bounds the time that we wait for the program, as a multiple of the deadline for
	// one reply.
	stateReplies = 4
	// slackReplies is such a multiple for the whole run, in addition to perLine for each line and
	// perMove for each move that the program makes by itself. So a program that is slow for every
	// line is soon refused, and one that is slow once is not.
	slackReplies = 4
	perLine      = 100 * time.Millisecond
	perMove      = 10 * time.Millisecond
	// perWhole is the same for a line with a whole distribution.
	perWhole = 2 * time.Second
)

// meter is what a program has cost so far, over all of its processes.
type meter struct {
	choices, restarts int
	lines, said       int64 // the lines that it has written, and their bytes
	moves             int64 // the moves that it was asked to make with its own choices
	whole             int64 // the distributions that it has written as a whole
	waited            time.Duration
}

// account is the state, or the pair of states, and the distribution that the program is asked
// about, and the meter when that began.
type account struct {
	from  string
	logf  []float64
	begun meter
}

// open begins the account of a state, or of a pair of them, under a distribution, unless it is that
// account already.
func (a *account) open(logf []float64, from string, now meter) {
	if a.logf == nil || a.from != from || !slices.Equal(a.logf, logf) {
		*a = account{from, slices.Clone(logf), now}
	}
}

// overspent returns an error if the program costs more than it may, and nil elsewhere. A program
// that makes its own choices has no account of a state, so only its time in all is bounded.
func (k *Program) overspent() error {
	now := k.meter
	if allowed := slackReplies*k.deadline + time.Duration(now.lines)*perLine +
		time.Duration(now.moves)*perMove + time.Duration(now.whole)*perWhole; now.waited > allowed {
		return fmt.Errorf("it took %v for %d lines; the limit is %v on average plus %v: answer faster",
			now.waited.Round(time.Millisecond), now.lines,
			perLine, slackReplies*k.deadline)
	}
	if k.account.from == "" {
		return nil
	}
	begun := k.account.begun
	from := k.account.from
	switch waited := now.waited - begun.waited; {
	case now.choices-begun.choices > maxWalked:
		return fmt.Errorf(
			"from %s it asked for %d choices without a result: bound its loops, or make fewer choices",
			from, maxWalked)
	case now.said-begun.said > maxSaid:
		return fmt.Errorf("from %s it sent %s without a result: make fewer choices with long lists", from,
			selector.Bytes(maxSaid))
	case now.restarts-begun.restarts > maxRestarts:
		return fmt.Errorf(
			`from %s it had to be restarted %d times, because it does not answer an abort with {"aborted":true} and the id: do that, or bound its loops`,
			from,
			maxRestarts)
	case waited > stateReplies*k.deadline:
		return fmt.Errorf("from %s it took %v without a result: answer faster, or make fewer choices", from,
			waited.Round(time.Millisecond))
	}
	return nil
}

// list fails if a choice has more outcomes than can be enumerated, or the line of the choice has
// too many bytes to be read once for each outcome.
func list(outcomes int, bytes int64) error {
	if outcomes > maxWalked {
		return fmt.Errorf(
			"a choice of %d outcomes; the limit is %d: make it in several steps", outcomes, maxWalked)
	}
	if total := int64(outcomes) * bytes; total > maxSaid {
		return fmt.Errorf(
			"a choice of %d outcomes in a line of %s, which is sent once for each outcome; the limit is %s in all: make it in several steps",
			outcomes, selector.Bytes(bytes), selector.Bytes(maxSaid))
	}
	return nil
}
