package files

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"breadboard/chains/selector"
)

const (
	chunk   = 1 << 18 // bytes that are read at once
	maxLine = 1 << 24 // the most bytes of a line
)

// lines splits a text into lines, in memory that is bounded by the longest of them.
type lines struct {
	in       io.Reader
	waiting  *waiting // of a stream, which may keep its reader waiting; nil of a file
	buf      []byte
	from, to int // the part of buf that is not yet returned
	searched int // how many bytes of that part are known to hold no end of a line
	end      error
	number   int  // of the line that was returned last, counted from 1
	open     bool // whether that line is the last one, and has no end
}

// errLongLine is the error of a line that is longer than maxLine.
var errLongLine = errors.New("long line")

// nextLine returns the next line without its end, which is valid until the next call, and io.EOF
// after the last line. A last line that has no end is a line.
func (l *lines) nextLine(ctx context.Context) ([]byte, error) {
	for {
		if at := bytes.IndexByte(l.buf[l.from+l.searched:l.to], '\n'); at >= 0 {
			return l.takeLine(l.searched+at, 1), nil
		}
		l.searched = l.to - l.from
		if l.end != nil {
			if l.searched > 0 && l.end == io.EOF {
				return l.takeLine(l.searched, 0), nil
			}
			return nil, l.end
		}
		if l.searched > maxLine {
			l.number++
			return nil, errLongLine
		}
		if err := l.readMore(ctx); err != nil {
			return nil, err
		}
	}
}

// takeLine returns the next n bytes as a line, and passes over the bytes that end it.
func (l *lines) takeLine(n, end int) []byte {
	line := l.buf[l.from : l.from+n]
	l.from += n + end
	l.searched = 0
	l.number++
	l.open = end == 0
	if n > 0 && line[n-1] == '\r' {
		line = line[:n-1]
	}
	return line
}

// ready reports whether next returns a line without reading.
func (l *lines) ready() bool {
	return l.end != nil || bytes.IndexByte(l.buf[l.from+l.searched:l.to], '\n') >= 0
}

// readMore reads more, unless the context is done. An error of the reader is kept until all that
// came before it is returned.
func (l *lines) readMore(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if l.from > 0 {
		copy(l.buf, l.buf[l.from:l.to])
		l.from, l.to = 0, l.to-l.from
	}
	if len(l.buf)-l.to < chunk {
		l.buf = append(l.buf, make([]byte, max(chunk, len(l.buf)))...)
	}
	var n int
	var err error
	if l.waiting != nil {
		n, err = l.waiting.read(ctx, l.buf[l.to:l.to+chunk])
		if ctx.Err() != nil && n == 0 {
			return ctx.Err()
		}
	} else {
		n, err = l.in.Read(l.buf[l.to:])
	}
	l.to += n
	l.end = err
	return nil
}

// peekBytes returns the first bytes of the text, up to n of them, without passing over them, and
// reads until there are that many or the text ends.
func (l *lines) peekBytes(ctx context.Context, n int) ([]byte, error) {
	for l.to-l.from < n && l.end == nil {
		if err := l.readMore(ctx); err != nil {
			return nil, err
		}
	}
	if l.end != nil && l.end != io.EOF {
		return nil, l.end
	}
	return l.buf[l.from:min(l.to, l.from+n)], nil
}

// skip passes over bytes that start has returned.
func (l *lines) skip(n int) { l.from += n }

// longLine is the fault of a line that is longer than maxLine.
func longLine() *fault {
	return wrong(fmt.Sprintf("a line of more than %d bytes", maxLine), "end every row with a line break")
}

// checkText refuses what is no text in UTF-8, and passes over the mark with which some programs
// begin one.
func checkText(ctx context.Context, name string, in *lines) error {
	start, err := in.peekBytes(ctx, 4)
	if err != nil {
		return err
	}
	if len(start) == 0 {
		return wrong("no data: it is empty", "write at least one row of values").withPlace(name, -1, 0)
	}
	if bytes.HasPrefix(start, []byte("\x00\x00")) {
		return wrong("zero bytes", "write it again: its writing was probably cut off").withPlace(name, -1, 0)
	}
	if title, cure := selector.Foreign(name, in.buf[in.from:in.to], true); title != "" {
		return wrong("the format "+title, "%s", cure).withPlace(name, -1, 0)
	}
	if bytes.HasPrefix(start, []byte("\ufeff")) {
		in.skip(3)
	}
	return nil
}

// waiting reads from a reader that may keep its caller waiting, and gives up the waiting, not the
// bytes, when the context is done.
type waiting struct {
	in   io.Reader
	room []byte
	done chan result // of the read that is under way; nil if there is none
	left []byte      // what came and is not yet returned
	err  error       // what came after it
}

// result is what a Read returned.
type result struct {
	n   int
	err error
}

// read reads into p as a Reader does. If the context is done first it returns its error, and the
// read goes on: what it brings is returned by the next call. So a reader that is never called again
// holds one goroutine until its input ends.
func (w *waiting) read(ctx context.Context, p []byte) (int, error) {
	if len(w.left) == 0 && w.err == nil {
		if w.done == nil {
			if w.room == nil {
				w.room = make([]byte, chunk)
			}
			w.done = make(chan result, 1)
			go func(done chan<- result) {
				n, err := w.in.Read(w.room)
				done <- result{n, err}
			}(w.done)
		}
		select {
		case r := <-w.done:
			w.done = nil
			w.left = w.room[:r.n]
			w.err = r.err
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	}
	n := copy(p, w.left)
	w.left = w.left[n:]
	if len(w.left) > 0 {
		return n, nil
	}
	return n, w.err
}
