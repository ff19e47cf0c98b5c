// Package longtest sets which tests run, and how many cases they try. Every test package of
// breadboard imports it, so that
//
//	go test ./...                       # the fast lane
//	go test ./... -long                 # also what takes minutes: reference tables, documents, Python, a browser
//	go test ./... -long=2               # more cases of each: rates of false alarms, hostile magnitudes; before a release
//	go test ./cmd/... -run Kill -long=50    # a search: forty-nine times as many cases as with -long=2
//	RAPID_SEED=0 go test ./... -long=2      # random cases that no run has tried before
//
// are understood by all of them. Property tests draw the same cases in every run, so that a commit
// that has passed keeps passing. RAPID_SEED, or -rapid.seed in packages with property tests,
// changes the cases.
//
// It also has helpers for all tests: Must and NoError take results that come with an error, and
// EndsAfter returns a context that ends during the work. Only tests import it.
package longtest

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// Patience is how long a test waits for an event that should come at once before it fails. It is
// far longer than a slow or busy machine needs.
const Patience = 3 * time.Minute

// seed is the seed of property tests. The others are the numbers of cases of each: by default, with
// -long and with -long=2.
const (
	seed         = "20161207"
	checks       = "20"
	checksOfLong = "40"
	checksOfMore = "100"
)

// scale is the value of -long: 0 without it, 1 with -long, and N with -long=N.
type scale int

// String returns the flag's value as it is written.
func (s *scale) String() string { return strconv.Itoa(int(*s)) }

// IsBoolFlag reports that -long may be given without a value.
func (s *scale) IsBoolFlag() bool { return true }

// Set reads the flag's value.
func (s *scale) Set(text string) error {
	switch text {
	case "true":
		text = "1"
	case "false":
		text = "0"
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > 1e6 {
		return fmt.Errorf("write -long, or -long=N with N from 0 to 1000000")
	}
	*s = scale(n)
	f := flag.Lookup("rapid.checks")
	if s != &long || n == 0 || f == nil || f.Value.String() != checks { // a user has chosen another number
		return nil
	}
	if n == 1 {
		return f.Value.Set(checksOfLong)
	}
	return f.Value.Set(checksOfMore)
}

var long scale

func init() {
	flag.Var(&long, "long", "also run what takes minutes; `N` in -long=N, 2 or more, tries more cases")
	// This package imports less than rapid does, and its path comes first in the order of letters,
	// so Go initialises it first. Therefore rapid reads its settings here, and a binary without
	// property tests need not link it.
	for name, value := range map[string]string{"RAPID_SEED": seed, "RAPID_CHECKS": checks} {
		if _, chosen := os.LookupEnv(name); !chosen {
			if err := os.Setenv(name, value); err != nil {
				panic(err)
			}
		}
	}
	// Tests allocate much short-lived memory while little is live: with the default setting the
	// garbage collector takes a quarter of their time.
	if _, chosen := os.LookupEnv("GOGC"); !chosen {
		debug.SetGCPercent(400)
	}
}

// Enabled reports whether the run has -long.
func Enabled() bool { return long > 0 }

// More reports whether the run has -long=N with N of 2 or more, which tries more cases than the
// check of a commit does.
func More() bool { return long > 1 }

// Only skips a test in all runs without -long. A smaller test in the default run must cover the
// same.
func Only(t testing.TB) {
	t.Helper()
	if !Enabled() {
		t.Skip("go test -long runs it")
	}
}

// Times returns how many cases a test tries: usual of them by default and with -long, and many for
// each N above 1 with -long=N.
func Times(usual, many int) int {
	if More() {
		return many * int(long-1)
	}
	return usual
}

// Failer is what a *testing.T, a *testing.B and a *rapid.T have in common.
type Failer interface {
	Helper()
	Error(args ...any)
	Fatal(args ...any)
}

// Must takes the result of a function that may fail. It returns a function that returns the result,
// or fails the test with the error:
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

// NoError fails the test with an error, if there is one.
func NoError(t Failer, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// File writes a text to a named file in a new folder, and returns its path.
func File(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	NoError(t, os.WriteFile(path, []byte(text), 0o644))
	return path
}

// Sure returns a result whose computation cannot fail, and panics with the error if it does. It is
// for setup outside of a test.
func Sure[V any](v V, err error) V {
	if err != nil {
		panic(err)
	}
	return v
}

// Refuses takes the result of a function that must fail. It returns a function that fails the test,
// which goes on, unless the error contains a text. About says what was tried, if the text does not:
//
//	longtest.Refuses(kernels.Parse("metropolis:3", space))(t, "takes no arguments")
func Refuses[V any](_ V, err error) func(t Failer, text string, about ...any) {
	return func(t Failer, text string, about ...any) {
		t.Helper()
		Refused(t, err, text, about...)
	}
}

// Refused fails the test, which goes on, unless err is an error that contains a text. The empty
// text is in every error.
func Refused(t Failer, err error, text string, about ...any) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), text) {
		t.Error(fmt.Sprintf("%v: error %v, want one with %q", about, err, text))
	}
}

// Ending is a context that ends when it has been checked a given number of times.
type Ending struct {
	context.Context
	end  context.CancelFunc
	left atomic.Int64
}

// EndsAfter returns a context that ends at the check after the given number of checks, and then
// also closes Done.
func EndsAfter(looks int) *Ending {
	e := &Ending{}
	e.Context, e.end = context.WithCancel(context.Background())
	e.left.Store(int64(looks))
	return e
}

// Err counts a check of the context.
func (e *Ending) Err() error {
	if e.left.Add(-1) < 0 {
		e.end()
	}
	return e.Context.Err()
}

// Looks returns how many times the context has been checked since its end, including the check that
// saw the end first.
func (e *Ending) Looks() int { return max(0, int(-e.left.Load())) }

// started names the test binary that a test has started.
const started = "BREADBOARD_TEST_STARTED"

// Main runs the tests of a package of which some start the test binary as a program, as BINARY ROLE
// ARGUMENT. Roles are the programs. A binary that was started by its own tests and has no such role
// ends with code 3: it would run the tests that started it, and start itself without end.
func Main(m *testing.M, roles map[string]func(argument string)) {
	if len(os.Args) == 3 && roles[os.Args[1]] != nil {
		roles[os.Args[1]](os.Args[2])
		return
	}
	if os.Getenv(started) == os.Args[0] {
		fmt.Fprintf(os.Stderr, "%q was started by its own tests, with words that name no role\n", os.Args)
		os.Exit(3)
	}
	if err := os.Setenv(started, os.Args[0]); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}
