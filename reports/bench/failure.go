package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"

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
	message := reports.OneLine(chains.InWords(f.error, nil))
	w.Header().Del("Content-Disposition")
	_ = writeJSON(w, f.status, struct {
		Error     string `json:"error"`
		Parameter string `json:"parameter"`
	}{message, f.parameter})
}

// writeJSON answers with a value as JSON.
func writeJSON(w http.ResponseWriter, status int, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_, err = w.Write(append(text, '\n'))
	if err != nil {
		return nil // the client has gone
	}
	return nil
}
