package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"breadboard/chains"
	"breadboard/reports"
)

// failure is an error with the status of HTTP that it stands for, and the parameter that it is about, if it is about one.
type failure struct {
	status    int
	parameter string
	error
}

func (f failure) Unwrap() error { return f.error }

// failf returns a failure with a message.
func failf(status int, parameter, format string, args ...any) error {
	return failure{status, parameter, fmt.Errorf(format, args...)}
}

// bad returns the failure of a question that has no answer, because of one of its parameters.
func bad(parameter string, err error) error {
	if err == nil {
		return nil
	}
	if known, is := errors.AsType[failure](err); is {
		return known
	}
	return failure{http.StatusBadRequest, parameter, err}
}

// again is the number of seconds after which a client that is refused for others may ask again.
const again = 1

// longest is the most bytes of a message. Messages quote what was asked, which may be as long as an address or a file.
const longest = 2000

// messageOf returns the message of an error, in one line, and says where it was cut.
func messageOf(err error) string {
	message := reports.OneLine(chains.InWords(err, nil))
	if len(message) <= longest {
		return message
	}
	return strings.ToValidUTF8(message[:longest], "") + "... (the message is longer)"
}

// fail answers with an error. It does nothing where the answer has begun already.
func (s *Server) fail(w http.ResponseWriter, err error) {
	f, is := errors.AsType[failure](err)
	if !is {
		f = failure{http.StatusBadRequest, "", err}
		if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
			f = failure{http.StatusServiceUnavailable, "", errors.New("the question was given up before it was answered; ask again")}
		}
	}
	if f.status == http.StatusTooManyRequests || f.status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", strconv.Itoa(again))
	}
	message := messageOf(f)
	w.Header().Del("Content-Disposition")
	_ = writeJSON(w, f.status, object{{"error", message}, {"parameter", f.parameter}}) // texts can always be written
}

// writeJSON answers with an object. Where the client has gone there is nobody to tell.
func writeJSON(w http.ResponseWriter, status int, value object) error {
	var b bytes.Buffer
	if err := value.writeTo(&b); err != nil {
		return internal(err)
	}
	b.WriteByte('\n')
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes())
	return nil
}

// internal returns an error that no request can be blamed for.
func internal(err error) error {
	return failure{http.StatusInternalServerError, "", fmt.Errorf("this is a mistake in breadboard itself, please report it: %w", err)}
}
