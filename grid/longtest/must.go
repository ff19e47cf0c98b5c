package longtest

import (
	"fmt"
	"strings"
)

// Failer is a test, a benchmark or a property of rapid, of which Must needs only how it fails.
type Failer interface {
	Helper()
	Fatal(args ...any)
}

// Must takes the result of a function that may fail, and returns what hands the result on, or fails the test with the error:
//
//	k := longtest.Must(kernels.Parse("metropolis", space))(t)
func Must[V any](v V, err error) func(t Failer) V {
	return func(t Failer) V {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// NoError fails the test with an error, where there is one.
func NoError(t Failer, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Sure returns what sets up a test and cannot fail, and panics with the error where it does. It is for where no test is at hand.
func Sure[V any](v V, err error) V {
	if err != nil {
		panic(err)
	}
	return v
}

// Refuses takes the result of a function that must fail, and returns what fails the test unless the error has a text in it:
//
//	longtest.Refuses(kernels.Parse("metropolis:3", space))(t, "takes no arguments")
func Refuses[V any](_ V, err error) func(t Failer, text string) {
	return func(t Failer, text string) {
		t.Helper()
		Refused(t, err, text)
	}
}

// Refused fails the test unless there is an error that has a text in it.
func Refused(t Failer, err error, text string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), text) {
		t.Fatal(fmt.Sprintf("error %v, want one with %q", err, text))
	}
}
