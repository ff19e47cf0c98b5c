package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"breadboard/cmd/catalogue"
	"breadboard/grid/longtest"
	"breadboard/reports"
	"breadboard/reports/figure"
	"breadboard/reports/table"
)

// TestWorkThatEndsIsAnswered holds that work which has ended is never taken for work that was given
// up, though its context ends behind it.
func TestWorkThatEndsIsAnswered(t *testing.T) {
	longtest.Only(t)
	const clients, questions = 8, 5000
	l := newLane(clients, clients, log.New(io.Discard, "", 0))
	var all sync.WaitGroup
	for range clients {
		all.Go(func() {
			for range questions {
				if err := l.inside(
					t.Context(),
					longtest.Patience,
					func(context.Context) error { return nil },
				); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
}

// TestNumbersWaitForNothing: J and B and the target are answered while all places of other answers
// are taken.
func TestNumbersWaitForNothing(t *testing.T) {
	s := New(Options{Workers: 1})
	done := make(chan struct{})
	var all sync.WaitGroup
	for _, l := range []*lane{s.quick, s.slow, s.streams} {
		begun := make(chan struct{})
		all.Go(func() {
			// how it ends does not matter
			_ = l.inside(t.Context(), longtest.Patience,
				func(context.Context) error { close(begun); <-done; return nil })
		})
		<-begun
	}
	for _, path := range []string{"/api/solve?T=2", "/api/target"} {
		if w := answerOf(t, s, path); w.Code != http.StatusOK {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
	close(done)
	all.Wait()
}

// TestGivenUpEitherWay: work that ends with its context is refused as given up, whether it returns
// the context's error or its cause.
func TestGivenUpEitherWay(t *testing.T) {
	ctx, cancel := context.WithTimeoutCause(t.Context(), 0, tooLong{time.Second})
	defer cancel()
	<-ctx.Done()
	for _, err := range []error{ctx.Err(), context.Cause(ctx)} {
		if f, is := errors.AsType[failure](orEnded(ctx, err)); !is ||
			f.status != http.StatusServiceUnavailable {
			t.Errorf("%v is not a refusal", err)
		}
	}
	if other := errors.New("another error"); orEnded(ctx, other) != other {
		t.Error("another error is taken for the end of the context")
	}
}

// answerOf returns what a server answers, without a network between.
func answerOf(tb testing.TB, s *Server, path string) *httptest.ResponseRecorder {
	tb.Helper()
	return handed(s, httptest.NewRequest(http.MethodGet, path, nil))
}

// handed returns what a server answers to a request.
func handed(s *Server, r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	(&site{server: s}).ServeHTTP(w, r)
	return w
}

// asking returns a request that a bench can read.
func asking(address string) *Request {
	return &Request{URL: httptest.NewRequest(http.MethodGet, address, nil).URL}
}

// TestPanics: what panics, on a lane or before it, is answered with a sentence and logged, and the
// next request is answered.
func TestPanics(t *testing.T) {
	var log bytes.Buffer
	s := New(Options{Log: &log, Workers: 1})
	s.routes["/here"] = route{
		method: http.MethodGet,
		handle: func(context.Context, Reply, *Request) error { panic("broken here") },
	}
	s.routes["/there"] = route{
		method: http.MethodGet,
		handle: func(ctx context.Context, _ Reply, r *Request) error {
			return s.quick.inside(ctx, longtest.Patience, func(context.Context) error { panic("broken there") })
		},
	}
	for range 3 {
		for _, path := range []string{"/here", "/there"} {
			if w := answerOf(t, s, path); w.Code != http.StatusInternalServerError ||
				!strings.Contains(w.Body.String(), "a mistake in breadboard itself") ||
				strings.Contains(w.Body.String(), "broken") {
				t.Errorf("%s: %d %s", path, w.Code, w.Body)
			}
		}
	}
	if w := answerOf(t, s, "/api/solve?T=2"); w.Code != http.StatusOK {
		t.Errorf("afterwards: %d %s", w.Code, w.Body)
	}
	for _, want := range []string{
		"/here panicked: broken here", "/there panicked: broken there", "server_test.go"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log lacks %q: %s", want, log.String())
		}
	}
}

// TestLatePanics: work that panics when no request waits for it any more is logged.
func TestLatePanics(t *testing.T) {
	lines := make(logLines, 1)
	l := newLane(1, 1, log.New(lines, "", 0))
	ctx, cancel := context.WithCancel(t.Context())
	givenUp := make(chan struct{})
	err := l.inside(ctx, longtest.Patience, func(context.Context) error {
		cancel()
		<-givenUp
		panic("broken late")
	})
	close(givenUp)
	if err == nil {
		t.Error("work that was given up has no error")
	}
	select {
	case text := <-lines:
		if !strings.Contains(text, "broken late") {
			t.Errorf("the log says %q", text)
		}
	case <-time.After(longtest.Patience):
		t.Error("nothing is logged")
	}
}

// logLines is a log whose lines a test waits for.
type logLines chan string

func (s logLines) Write(line []byte) (int, error) {
	s <- string(line)
	return len(line), nil
}

// TestLongWordsAreCut: of a selector that is longer than a line a message has the beginning and the
// end, other words stay, and parts that are alike once they are cut stand there once.
func TestLongWordsAreCut(t *testing.T) {
	long := "cells:" + strings.Repeat("0.5:", 200) + "x"
	want := `toy "cells:` + strings.Repeat("0.5:", 19) + `0....0.5:0.5:0.5:x": row 1`
	if got := cutMessage(`toy "` + long + `": toy "` + long + `": row 1`); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if line := strings.Repeat("a", lineLength); cutMessage(line) != line {
		t.Error("a word as long as a line is cut")
	}
}

// TestNothingIsSentBehindTheAnswer: work that goes on when its request has ended sends nothing
// more, since the connection may by then have another answer.
func TestNothingIsSentBehindTheAnswer(t *testing.T) {
	s := New(Options{Workers: 1})
	ctx, leave := context.WithCancel(t.Context())
	w := httptest.NewRecorder()
	goOn := make(chan struct{})
	late := make(chan error)
	to := reply{w, http.NewResponseController(w)}
	err := s.stream(ctx, to, asking("/api/chains"), func(_ context.Context, e *events) error {
		if err := e.send("early", object{}); err != nil {
			return err
		}
		leave()
		<-goOn
		err := e.send("late", object{})
		late <- err
		return err
	})
	if err != nil {
		t.Error(err)
	}
	close(goOn)
	if err := <-late; err == nil || strings.Contains(w.Body.String(), "late") ||
		!strings.Contains(w.Body.String(), "event: early") {
		t.Errorf("%v: %s", err, w.Body)
	}
}

// TestFiguresAreDrawnInTheLane: figures are drawn on the place of their computation and within its
// time, and none for those who have gone.
func TestFiguresAreDrawnInTheLane(t *testing.T) {
	s := New(Options{Workers: 1})
	gap := gapStudy()
	ctx, leave := context.WithCancel(t.Context())
	r := asking("/api/gap?toy=easy&T=5")
	begun := make(chan struct{})
	drawn := make(chan error, 1)
	go func() {
		_, _, err := s.compute(ctx, r, &gap, func(ctx context.Context, a *task) error {
			if n := len(s.quick.places); n != 1 {
				t.Errorf("%d places are taken while figures are drawn", n)
			}
			close(begun)
			<-ctx.Done()
			_, err := drawings(ctx, a.report, figure.Style{})
			drawn <- err
			return err
		})
		if err == nil {
			t.Error("an answer for nobody")
		}
	}()
	<-begun
	leave()
	select {
	case err := <-drawn:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("figures are drawn for nobody: %v", err)
		}
	case <-time.After(longtest.Patience):
		t.Error("nobody tells that the client has gone")
	}
}

// Listen has a server answer until the test ends, and returns the beginning of its addresses.
func Listen(t *testing.T, s *Server) string {
	t.Helper()
	ctx, end := context.WithCancel(context.Background())
	listener := longtest.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, listener) }()
	t.Cleanup(func() {
		end()
		longtest.NoError(t, <-ended)
	})
	return "http://" + listener.Addr().String()
}

// computation makes the report of a study.
type computation = func(context.Context) (*reports.Report, error)

// instead has a server's study at a path compute something else than its own.
func instead(s *Server, path string, other func(own computation) computation) {
	study := s.routes[path].study
	plan := study.plan
	study.plan = func(q *question) (*task, error) {
		a, err := plan(q)
		if err == nil {
			a.compute = other(a.compute)
		}
		return a, err
	}
}

// TestLawTakesSeconds: the longer a stage takes and the more there are, the fewer frequencies a
// distribution is computed at, down to some that are computed whatever they take. If there are
// many, their number is left to the study.
func TestLawTakesSeconds(t *testing.T) {
	s := New(Options{})
	for text, want := range map[string]int{
		"toy=barrier:3x3&T=5": 0, "toy=barrier&T=200": 1 << 13, "toy=barrier&T=1000": 1 << 11,
		"toy=barrier&T=1e5":          fewestFrequencies,
		"toy=random:1:0:25x25&T=100": 1 << 11, "toy=barrier&T=200&kernel=heatbath": 1 << 12,
	} {
		q, err := s.readQuestion(asking("/api/law?" + text))
		if err == nil {
			err = q.build(t.Context(), nil)
		}
		longtest.NoError(t, err)
		if got := frequenciesOf(q); got != want {
			t.Errorf("%s: %d frequencies, want %d", text, got, want)
		}
	}
}

// TestLawSaysItsFrequencies: the command of an answer has the frequencies with which its bounds are
// proven, and none if the study chooses.
func TestLawSaysItsFrequencies(t *testing.T) {
	s := New(Options{})
	for text, want := range map[string]string{
		"toy=barrier:3x3&T=5&schedule=power:2": "breadboard weights --toy barrier:3x3 " +
			"--schedule power:2 -T 5",
		"toy=barrier:3x3&T=5&schedule=power:2&frequencies=2048": "breadboard weights --frequencies 2048 " +
			"--toy barrier:3x3 --schedule power:2 -T 5",
	} {
		var answer struct{ Command string }
		w := answerOf(t, s, "/api/law?"+text)
		if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil || answer.Command != want {
			t.Errorf("%v, %s, want %s", err, answer.Command, want)
		}
	}
}

// small is the annealing of which these tests ask.
const small = "toy=barrier:3x3&T=5"

// TestRowsAreKnown: as many rows are announced before the computation as there are behind it.
func TestRowsAreKnown(t *testing.T) {
	s := New(Options{})
	for query, want := range map[string]int{
		"solve?": 1, "curve?": 6, "curve?Ts=7,3,7": 2, "gap?": 5, "law?": 1, "samples?": 4,
		"samples?samples=2": 1, "spectrum?": standardBetas, "spectrum?betas=3": 3,
		"schedule?": 5, "schedule?path=q:0.5": 5,
	} {
		path, _, _ := strings.Cut("/api/"+query, "?")
		r := asking("/api/" + query + "&" + small)
		_, _, err := s.compute(t.Context(), r, s.routes[path].study, func(_ context.Context, a *task) error {
			if got := len(a.makeTable(table.JSON).Rows); got != want || a.rows != want {
				t.Errorf("%s: %d rows, and %d were announced; want %d", query, got, a.rows, want)
			}
			return nil
		})
		if err != nil {
			t.Errorf("%s: %v", query, err)
		}
	}
}

// TestLongAnswersAreNotComputed: rows that would repeat the question too often are refused before
// they are computed, in whatever file they are to stand, and no others are.
func TestLongAnswersAreNotComputed(t *testing.T) {
	limits := DefaultLimits()
	limits.Repeated = int64(len("barrier:3x3")) - 1
	s := New(Options{Limits: limits, Studies: catalogue.Studies()})
	for _, study := range s.studies() {
		computed := false
		instead(s, "/api/"+study.name, func(own computation) computation {
			return func(ctx context.Context) (*reports.Report, error) {
				computed = true
				return own(ctx)
			}
		})
		for _, ending := range []string{"", ".csv", ".json", ".svg"} {
			for _, columns := range []string{"", "&columns=toy"} {
				computed = false
				w := answerOf(t, s, "/api/"+study.name+ending+"?"+small+columns)
				refused := w.Code == http.StatusBadRequest && strings.Contains(
					w.Body.String(),
					`too long an answer","hint":"name the columns to have, and not toy"`,
				)
				if want := columns != "" || study.columns == nil; refused != want || computed == want {
					t.Errorf("%s%s%s: %d, computed %v: %s", study.name, ending, columns, w.Code, computed, w.Body)
				}
			}
		}
	}
}

// TestLargeQuestionsAreNotComputed: what a limit forbids is refused before anything is computed,
// which would take many minutes here: nothing else than these limits is in the way.
func TestLargeQuestionsAreNotComputed(t *testing.T) {
	longtest.Only(t)
	limits := DefaultLimits()
	limits.Bytes = 1e15
	limits.Time = 1e6 * time.Hour
	limits.Stream = 1e6 * time.Hour
	s := New(Options{Limits: limits, Workers: 1})
	const large = "toy=random:2:0:100x100&T=1000000"
	for query, parameter := range map[string]string{
		"gap?" + large: "T", "curve?" + large + "&Ts=" + strings.Repeat("1000000,", 30) + "1000000": "Ts",
		"samples?" + large + "&samples=0": "samples",
		"spectrum?betas=1002&" + large:    "betas", "law?frequencies=-1&" + large: "frequencies",
		"frames?count=7&" + large: "count", "follow?stage=1&state=0&count=21&" + large: "count",
		"chains?chains=1000000&show=1000000&count=2&" + large: "toy",
		"chains?chains=1000000&show=10000&count=21&" + large:  "count",
		"optimize?" + large: "T",
	} {
		ctx, cancel := context.WithTimeout(t.Context(), longtest.Patience)
		w := handed(s, httptest.NewRequestWithContext(ctx, http.MethodGet, "/api/"+query, nil))
		if w.Code != http.StatusBadRequest ||
			!strings.Contains(w.Body.String(), `"parameter":"`+parameter+`"`) {
			t.Errorf("%s: %d %.300s, want a refusal of %s", query, w.Code, w.Body, parameter)
		}
		cancel()
	}
}

// FuzzQuery: whatever stands in a query is answered, in JSON, and nothing of it is a mistake of the
// program itself. No file is read for it.
func FuzzQuery(f *testing.F) {
	for _, query := range []string{
		"T=10&toy=easy", "toy=cells:0:1/2:-inf&schedule=curve:0:0.5:1",
		"toy=mixture:1*easy%2B1*hard&kernel=lazy:0.5&path=q:0.5",
		"toy=graph:path:5:random:1:1&initial=tempered:0.1",
		"schedule=cess:0.9", "toy=file:canary.csv", "toy=x=model:canary", "kernel=matrix:canary{t}",
		"path=via:0.5:canary",
		"toy=ising:2x2:1&T=5&columns=t,beta", "toy=smooth:1:1:3:3x3",
	} {
		f.Add(query)
	}
	for c := range 256 {
		f.Add(fmt.Sprintf("T=2&toy=%%%02x&kernel=%%%02x", c, c)) // every character, alone
	}
	limits := DefaultLimits()
	limits.T = 50
	limits.States = 300
	limits.Time = longtest.Patience
	s := New(Options{Limits: limits})
	f.Fuzz(func(t *testing.T, query string) {
		r := httptest.NewRequest(http.MethodGet, "/api/schedule", nil)
		r.URL.RawQuery = query
		w := handed(s, r)
		if w.Code >= http.StatusInternalServerError || !json.Valid(w.Body.Bytes()) ||
			strings.Contains(w.Body.String(), "no such file") {
			t.Errorf("%q: %d %s", query, w.Code, w.Body)
		}
	})
}
