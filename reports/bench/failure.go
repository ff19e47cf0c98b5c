package bench

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
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

// A selector in a message that is longer than a line is cut to its beginning and its end, which has the punctuation behind it.
const (
	lineLength = 100
	wordEnd    = 15
)

// cutWords cuts each word of a text that is longer than a line, as the selector of a painted grid is, and says once what the text then says again.
func cutWords(text string) string {
	words := strings.Split(text, " ")
	for i, word := range words {
		if len(word) > lineLength {
			words[i] = strings.ToValidUTF8(word[:lineLength-wordEnd], "") + "..." + strings.ToValidUTF8(word[len(word)-wordEnd:], "")
		}
	}
	parts := strings.Split(strings.Join(words, " "), ": ")
	return strings.Join(slices.Compact(parts), ": ") // parts of a selector of many parts are alike once they are cut
}

// messageOf returns the message of an error, in one line, and says where it was cut.
func messageOf(err error) string {
	message := cutWords(reports.OneLine(chains.InWords(err, nil)))
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
	text, err := object{{"error", messageOf(f)}, {"parameter", f.parameter}}.line()
	if err != nil {
		panic(err) // texts can always be written
	}
	w.Header().Del("Content-Disposition")
	w.Header().Set("Content-Type", jsonType)
	w.WriteHeader(f.status)
	_, _ = w.Write(text) // fails where the client has gone; it is short, and counts in no budget
}

const jsonType = "application/json; charset=utf-8"

// writeJSON answers with an object.
func (s *Server) writeJSON(w http.ResponseWriter, value object) error {
	text, err := value.line()
	if err != nil {
		return internal(err)
	}
	return s.write(w, jsonType, text)
}

// internal returns an error that no request can be blamed for.
func internal(err error) error {
	return failure{http.StatusInternalServerError, "", fmt.Errorf("this is a mistake in breadboard itself, please report it: %w", err)}
}
