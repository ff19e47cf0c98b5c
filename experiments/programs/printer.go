package programs

import (
	"errors"
	"fmt"
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
	r.p, err = startProcess(p.ctx, command, limits{p.deadline, p.deadline, maxLine}, &meter{}, p.watch)
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
		over := r.p.limit(r.p.deadline)
		line, err := r.p.nextLine()
		isOver := over()
		switch {
		case r.p.ctx.Err() != nil:
			r.p.close()
			return 0, r.p.ctx.Err()
		case isOver:
			return 0, r.p.failure(fmt.Errorf("it has printed nothing for %v; flush its output", r.p.deadline))
		case err == io.EOF && r.p.meter.lines == 0:
			return 0, r.p.silent()
		case err == io.EOF:
			return 0, r.ended()
		case err != nil:
			return 0, r.p.failure(err)
		}
		r.left = append(line, '\n')
	}
	n := copy(to, r.left)
	r.left = r.left[n:]
	return n, nil
}

// ended returns io.EOF if the program has ended well, and how it ended elsewhere.
func (r *Printer) ended() error {
	time.Sleep(10 * time.Millisecond) // it has closed its output, and may still be about to end
	r.p.close()
	if r.p.status != "" && r.p.ctx.Err() == nil {
		return r.p.failure(errors.New("it failed"))
	}
	return io.EOF
}
