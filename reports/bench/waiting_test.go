package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"breadboard/grid/longtest"
	"breadboard/reports"
)

// wire is a network inside of the test, so that time on it is that of synctest: it passes while everybody waits, and at once.
type wire struct {
	calls chan net.Conn
	down  context.Context
	hang  context.CancelFunc
}

func newWire() *wire {
	down, hang := context.WithCancel(context.Background())
	return &wire{make(chan net.Conn), down, hang}
}

// Accept waits for a client.
func (w *wire) Accept() (net.Conn, error) {
	select {
	case c := <-w.calls:
		return c, nil
	case <-w.down.Done():
		return nil, net.ErrClosed
	}
}

// Close ends the waiting for clients.
func (w *wire) Close() error {
	w.hang()
	return nil
}

// Addr is the address that clients write into their requests.
func (w *wire) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: usualPort} }

// dial returns a client's end of a connection.
func (w *wire) dial() net.Conn {
	here, there := net.Pipe()
	w.calls <- there
	return here
}

// whole returns the status and the body of an answer, or what went wrong.
func (w *wire) whole(path string) string {
	through := &http.Transport{DisableKeepAlives: true, DialContext: func(context.Context, string, string) (net.Conn, error) { return w.dial(), nil }}
	r, err := (&http.Client{Transport: through}).Get("http://127.0.0.1" + path)
	if err != nil {
		return err.Error()
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	return fmt.Sprint(r.Status, " ", string(body), err)
}

// TestTooLong: an answer that takes longer than the limit is given up, and says so, also where the computation goes on.
func TestTooLong(t *testing.T) {
	for _, hears := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			s, over := New(Options{}), make(chan struct{})
			defer close(over)
			instead(s, "/api/spectrum", func(computation) computation {
				return func(ctx context.Context) (*reports.Report, error) {
					if hears {
						<-ctx.Done()
					} else {
						<-over
					}
					return nil, ctx.Err()
				}
			})
			begun := time.Now()
			w := answerOf(t, s, "/api/spectrum?"+small)
			if took := time.Since(begun); took != s.options.Limits.Time {
				t.Errorf("it was given up after %v", took)
			}
			if w.Code != http.StatusServiceUnavailable || !strings.Contains(w.Body.String(), "takes longer than 10s") {
				t.Errorf("%d %s", w.Code, w.Body)
			}
		})
	}
}

// TestShutdown: the bench ends within a second, with a stream open, a computation under way, and a client that reads nothing, and says so
// to those who wait.
func TestShutdown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, w, over := New(Options{}), newWire(), make(chan struct{})
		defer close(over)
		s.routes["/api/stream"] = route{method: http.MethodGet, handle: func(w http.ResponseWriter, r *http.Request) error {
			return s.stream(w, r, func(ctx context.Context, e *events) error {
				if err := e.send("progress", object{}); err != nil {
					return err
				}
				<-ctx.Done()
				return ctx.Err()
			})
		}}
		instead(s, "/api/samples", func(computation) computation {
			return func(context.Context) (*reports.Report, error) {
				<-over // it hears nothing of the end
				return nil, errors.New("nobody waits for this")
			}
		})
		ctx, end := context.WithCancel(context.Background())
		ended, stream, computation := make(chan error), make(chan string), make(chan string)
		go func() { ended <- s.Serve(ctx, w) }()
		go func() { stream <- w.whole("/api/stream") }()
		go func() { computation <- w.whole("/api/samples?" + small) }()
		deaf := w.dial()
		defer deaf.Close()
		fmt.Fprintf(deaf, "GET /api/solve?T=2 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n") // nobody reads the answer
		synctest.Wait()                                                             // until all are under way
		begun := time.Now()
		end()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if took := time.Since(begun); took > time.Second {
			t.Errorf("the end took %v", took)
		}
		if got := <-stream; !strings.Contains(got, "event: progress") || !strings.Contains(got, "event: failed\ndata: {\"error\":\"the server is shutting down\"}") {
			t.Errorf("the stream: %.300s", got)
		}
		if got := <-computation; !strings.Contains(got, "503") || !strings.Contains(got, "shutting down") {
			t.Errorf("the computation under way: %s", got)
		}
	})
}

// TestClientGoesAway: a computation ends when nobody waits for it any more, so that its place is free. Each of these
// takes many minutes.
func TestClientGoesAway(t *testing.T) {
	longtest.NotShort(t)
	limits := DefaultLimits()
	limits.Stages, limits.Repeated, limits.Time = limits.T, math.MaxInt64, 1e6*time.Hour
	s := New(Options{Limits: limits, Workers: 1})
	at := Listen(t, s)
	for _, query := range []string{
		"solve?toy=random:2:0:250x250", "curve?toy=random:2:0:250x250&Ts=1000000", "gap?toy=random:2:0:30x30", "law?toy=random:2:0:25x25", "samples?toy=random:2:0:25x25",
		"spectrum?toy=random:20:0:40x40&betas=1001",
	} {
		path, _, _ := strings.Cut("/api/"+query, "?")
		ctx, leave := context.WithCancel(t.Context())
		instead(s, path, func(own computation) computation {
			return func(ctx context.Context) (*reports.Report, error) {
				leave()
				return own(ctx)
			}
		})
		r := longtest.Must(http.NewRequestWithContext(ctx, http.MethodGet, at+"/api/"+query+"&T=1000000", nil))(t)
		if answer, err := http.DefaultClient.Do(r); err == nil {
			body, _ := io.ReadAll(answer.Body)
			answer.Body.Close()
			t.Errorf("%s: nobody was to wait for %.300s", query, body)
		}
		free, cancel := context.WithTimeout(t.Context(), longtest.Patience)
		l := s.laneOf(s.routes[path].study)
		if err := l.enter(free); err != nil {
			t.Fatalf("%s: the place is not free: %v", query, err)
		}
		l.leave()
		cancel()
	}
}
