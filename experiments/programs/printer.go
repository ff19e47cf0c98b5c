package programs

import (
	"errors"
	"io"
	"time"
)

// Printer is a program that prints without being asked, perhaps forever.
type Printer struct {
	p    *process
	left []byte
}

// StartPrinter starts a program that prints. The words are the program and its arguments; no shell
// is involved. It may be silent for as long as the deadline of programs, and is ended with the
// others.
func (p *Programs) StartPrinter(words []string) (*Printer, error) {
	command, err := joinCommand(words)
	if err != nil {
		return nil, err
	}
	r := &Printer{}
	r.p, err = p.start(command, limits{p.deadline, p.deadline, maxLine}, &meter{})
	if err != nil {
		return nil, err
	}
	r.p.asked = "for its next line"
	return r, p.keepOpen(r)
}

func (r *Printer) shut() { r.p.close() }

// Name returns the command.
func (r *Printer) Name() string { return r.p.command.text }

// Read implements io.Reader: it returns lines as the program prints them, and io.EOF after its end.
// It fails if the program is silent for too long, or ends without a line.
func (r *Printer) Read(to []byte) (int, error) {
	if len(r.left) == 0 {
		defer r.p.watched(r.p.deadline)()
		line, err := r.p.awaitLine(r.p.deadline, "it has printed nothing for %v; flush its output")
		if err == io.EOF {
			err = r.exitError()
		}
		if err != nil {
			return 0, err
		}
		r.left = append(line, '\n')
	}
	n := copy(to, r.left)
	r.left = r.left[n:]
	return n, nil
}

// exitError returns io.EOF if the program has ended well, and otherwise an error that says how it
// ended.
func (r *Printer) exitError() error {
	time.Sleep(10 * time.Millisecond) // it has closed its output, and may still be about to end
	r.p.close()
	if r.p.status != "" || r.p.interrupted() != nil {
		return r.p.failure(errors.New("it failed")) // or the error of the context, if that has ended
	}
	return io.EOF
}
