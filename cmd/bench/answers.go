package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"breadboard/chains/errs"
	"breadboard/chains/number"
	"breadboard/chains/selector"
	"breadboard/reports"
	"breadboard/reports/table"
)

// failure is an error with the status of HTTP that it stands for, and the parameter that it is
// about, if it is about one.
type failure struct {
	status    int
	parameter string
	allow     string // the method that is allowed, if the status is that this one is not
	error
}

func (f failure) Unwrap() error { return f.error }

// failf returns a failure with a message.
func failf(status int, parameter, format string, args ...any) error {
	return failure{status: status, parameter: parameter, error: errs.New(format, args...)}
}

// bad returns the failure of a question that has no answer, because of one of its parameters.
func bad(parameter string, err error) error {
	if err == nil {
		return nil
	}
	if known, is := errors.AsType[failure](err); is {
		return known
	}
	return failure{status: statusBadRequest, parameter: parameter, error: err}
}

// again is the number of seconds after which a client that is refused for others may ask again.
const again = 1

// longest is the most bytes of a message. Messages quote what was asked, which may be as long as an
// address or a file.
const longest = 2000

// A selector in a message that is longer than a line is cut to its beginning and its end, which has
// the punctuation behind it.
const (
	lineLength = 100
	wordEnd    = 15
)

// cutWords cuts each word of a text that is longer than a line, as the selector of a painted grid
// is, and says once what the text then says again.
func cutWords(text string) string {
	words := strings.Split(text, " ")
	for i, word := range words {
		if len(word) > lineLength {
			words[i] = strings.ToValidUTF8(word[:lineLength-wordEnd], "") + "..." +
				strings.ToValidUTF8(word[len(word)-wordEnd:], "")
		}
	}
	parts := strings.Split(strings.Join(words, " "), ": ")
	// parts of a selector of many parts are alike once they are cut
	return strings.Join(slices.Compact(parts), ": ")
}

// messageOf returns the message of an error: what is wrong, and as a hint what to do.
func messageOf(err error) object {
	what, hint := errs.Parts(err, nil)
	return object{{"error", cutMessage(what)}, {"hint", cutMessage(hint)}}
}

// cutMessage returns a message in one line, and says where it was cut.
func cutMessage(text string) string {
	message := cutWords(reports.OneLine(text))
	if len(message) <= longest {
		return message
	}
	return strings.ToValidUTF8(message[:longest], "") + "... (the message is longer)"
}

// fail answers with an error. It does nothing if the answer has begun already.
func (s *Server) fail(to Reply, err error) {
	f, is := errors.AsType[failure](err)
	if !is {
		f = failure{status: statusBadRequest, error: err}
		if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
			f = failure{status: statusUnavailable,
				error: errs.New("the question was given up before it was answered; ask again")}
		}
	}
	header := map[string]string{contentType: jsonType}
	if f.status == statusTooMany || f.status == statusUnavailable {
		header["Retry-After"] = strconv.Itoa(again)
	}
	if f.allow != "" {
		header["Allow"] = f.allow
	}
	text, err := append(messageOf(f), member{"parameter", f.parameter}).jsonLine()
	if err != nil {
		panic(err) // texts can always be written
	}
	to.Head(f.status, header)
	_ = to.Part(text) // fails if the client has gone; it is short, and counts in no budget
}

// contentType is the name of the header that says what an answer is.
const contentType = "Content-Type"

const jsonType = "application/json; charset=utf-8"

// writeJSON answers with an object.
func (s *Server) writeJSON(to Reply, value object) error {
	text, err := value.jsonLine()
	if err != nil {
		return internal(err)
	}
	return s.write(to, map[string]string{contentType: jsonType}, text)
}

// internal returns an error that no request can be blamed for.
func internal(err error) error {
	return failure{status: statusInternal,
		error: fmt.Errorf("this is a mistake in breadboard itself, please report it: %w", err)}
}

// object is a JSON object whose members keep their order.
type object []member

type member struct {
	name  string
	value any
}

// jsonLine returns the object as a line of text.
func (o object) jsonLine() ([]byte, error) {
	var b bytes.Buffer
	err := o.writeTo(&b)
	b.WriteByte('\n')
	return b.Bytes(), err
}

// writeTo writes the object. What is JSON already is not read again, as encoding/json would: rows
// and figures are long.
func (o object) writeTo(b *bytes.Buffer) error {
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(m.name)
		if err != nil {
			return err
		}
		b.Write(name)
		b.WriteByte(':')
		if err := writeValue(b, m.value); err != nil {
			return err
		}
	}
	b.WriteByte('}')
	return nil
}

// writeValue writes the value of a member.
func writeValue(b *bytes.Buffer, value any) error {
	switch v := value.(type) {
	case object:
		return v.writeTo(b)
	case []object:
		b.WriteByte('[')
		for i, o := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			if err := o.writeTo(b); err != nil {
				return err
			}
		}
		b.WriteByte(']')
		return nil
	case json.RawMessage:
		b.Write(v)
		return nil
	case numbers:
		text, err := v.MarshalJSON()
		b.Write(text)
		return err
	}
	text, err := json.Marshal(value)
	b.Write(text)
	return err
}

// numbers are written as the cells of tables are: with as few digits as tell them from all others,
// and as texts if they are not finite.
type numbers []float64

// MarshalJSON writes the numbers.
func (n numbers) MarshalJSON() ([]byte, error) {
	b := []byte{'['}
	for i, v := range n {
		if i > 0 {
			b = append(b, ',')
		}
		text, err := table.JSONText(v)
		if err != nil {
			return nil, err
		}
		b = append(b, text...)
	}
	return append(b, ']'), nil
}

// scalar is one of numbers.
type scalar float64

// MarshalJSON writes the number.
func (n scalar) MarshalJSON() ([]byte, error) {
	text, err := table.JSONText(float64(n))
	return []byte(text), err
}

// known returns a number of which at least one digit is right, and NaN otherwise.
func known(b number.Bounded) scalar {
	if !b.Known() {
		return scalar(math.NaN())
	}
	return scalar(b.Value)
}

// budget counts the bytes that the bench holds for clients: answers that are not read yet, or files
// that have not come whole. Clients that read or send slowly hold them for as long as they are
// waited for, so that many of them would take all memory.
type budget struct {
	what string // answers or files
	mu   sync.Mutex
	held int64
	most int64
}

// reserveBytes adds bytes, and returns the function that gives them back. It fails if there would
// be too many; a single answer may have any size.
func (b *budget) reserveBytes(n int) (giveBack func(), err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.held > 0 && b.held+int64(n) > b.most {
		return nil, failf(statusTooMany, "",
			"%s of %s are under way to or from slow clients, and there is no memory for more; ask again in a second",
			b.what, selector.Bytes(b.held))
	}
	b.held += int64(n)
	return func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.held -= int64(n)
	}, nil
}

// smallAnswer is the most bytes of an answer that is small: that many leave the program even for a
// client that does not read.
const smallAnswer = 64 << 10

// write answers with bytes.
func (s *Server) write(to Reply, header map[string]string, content []byte) error {
	of := s.held
	if cap(content) <= smallAnswer {
		of = s.small
	}
	giveBack, err := of.reserveBytes(cap(content))
	if err != nil {
		return err
	}
	defer giveBack()
	to.Head(statusOK, header)
	_ = to.Part(content) // fails if the client has gone
	return nil
}
