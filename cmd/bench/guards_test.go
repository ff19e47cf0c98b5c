package bench

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"breadboard/grid/longtest"
	"breadboard/reports"
)

// siege is a bench at 127.0.0.1, port 80, with a client that sends it anything. Time on it passes
// while all wait.
type siege struct {
	*testing.T
	server *Server
	wire   *wire
}

// try is a request, and what is to come of it. Lines of its header beside that of the host are
// given as they stand in it.
type try struct {
	request string // the method and the path
	header  string
	status  int
	says    string // a part of the answer
}

// send sends the beginning of a request over a connection of its own, and does not wait for the
// answer.
func (s *siege) send(request string, header ...string) net.Conn {
	lines := []string{request + " HTTP/1.1"}
	if !strings.Contains(strings.Join(header, "\n"), "Host: ") {
		lines = append(lines, "Host: 127.0.0.1")
	}
	conn := s.wire.dial()
	go io.WriteString(conn, strings.Join(append(lines, header...), "\r\n")+"\r\n\r\n") //nolint:errcheck // fails if the bench has closed the connection
	return conn
}

// answer reads an answer to the end, and closes the connection.
func (s *siege) answer(conn net.Conn) (status int, body string, header http.Header) {
	defer conn.Close()
	r, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		s.Errorf("there is no answer: %v", err)
		return 0, "", nil
	}
	text, err := io.ReadAll(r.Body)
	if err != nil && r.StatusCode < 400 {
		s.Error(err)
	}
	return r.StatusCode, string(text), r.Header
}

// gets has a request sent, and checks what is to come of it, and what is true of all answers.
func (s *siege) gets(c try) (body string, header http.Header) {
	s.Helper()
	request := c.request
	if len(request) > 100 {
		request = request[:100]
	}
	status, body, header := s.answer(s.send(c.request, strings.TrimPrefix(c.header+"\r\nConnection: close", "\r\n")))
	if status != c.status || !strings.Contains(body, c.says) {
		s.Errorf("%s %.100q: %d %.300s, want %d %s", request, c.header, status, body, c.status, c.says)
	}
	if status == http.StatusRequestHeaderFieldsTooLarge {
		return body, header // the answer of net/http itself
	}
	if status >= 400 && !strings.HasPrefix(c.request, "HEAD") && !json.Valid([]byte(body)) {
		s.Errorf("%s: %.300s", request, body)
	}
	if again := header.Get("Retry-After"); (again != "") !=
		(status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable) {
		s.Errorf("%s: %d, Retry-After %q", request, status, again)
	}
	if !strings.Contains(header.Get("Content-Security-Policy"), "default-src 'none'") ||
		header.Get("X-Content-Type-Options") != "nosniff" ||
		header.Get("Cache-Control") != "no-store" ||
		!strings.HasSuffix(header.Get("Content-Security-Policy"), "frame-ancestors 'none'") {
		s.Errorf("%s: header %v", request, header)
	}
	return body, header
}

// following are the lines of the header of a link that is followed in a page of another site.
func following(destination string) string {
	return "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: " + destination
}

// TestGuards: every hostile request is refused, a row for each guard.
func TestGuards(t *testing.T) {
	longtest.Only(t)
	const token = "S3CRETTOKEN"
	limits := DefaultLimits()
	for _, g := range []struct {
		guard   string
		options Options
		tries   []try
		attack  func(*siege) // what takes more than a request and its answer
	}{
		{guard: "the host, where the name of another site leads to this machine", tries: []try{
			{"GET /", "Host: 127.0.0.1", 200, ""}, {"GET /", "Host: 127.0.0.1:80", 200, ""},
			{"GET /", "Host: localhost", 200, ""},
			{"GET /", "Host: localhost:80", 200, ""}, {"GET /", "Host: [::1]", 200, ""},
			{"GET /", "Host: evil.example", 403, "is not this bench"},
			{"GET /api/solve", "Host: evil.example:80", 403, "is not this bench"},
			{"GET /", "Host: 127.0.0.1.evil.example", 403, "is not this bench"},
			{"GET /", "Host: localhost:1", 403, "is not this bench"},
			{"GET /", "Host: ", 403, "is not this bench"},
		}, attack: func(s *siege) {
			// a port that browsers do not leave out
			other := newGuard(&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8642}, "")
			for host, want := range map[string]bool{
				"localhost": false, "localhost:80": false, "localhost:8642": true} {
				if other.hosts[host] != want {
					s.Errorf("port 8642, host %s: %v", host, !want)
				}
			}
		}},
		{guard: "the origin", tries: []try{
			{"POST /api/file?name=a.csv", "Origin: http://127.0.0.1", 400, "empty"},
			{"POST /api/file?name=a.csv", "Origin: http://evil.example", 403, "may not ask"},
			{"GET /api/solve", "Origin: null", 403, "may not ask"},
			{"GET /api/solve", "Origin: http://127.0.0.1.evil.example", 403, "may not ask"},
			{"GET /api/solve", "Origin: http://127.0.0.1:8080", 403, "may not ask"},
			{"GET /api/solve", "Origin: http://127.0.0", 403, "may not ask"},
			{"GET /api/solve", "Origin: https://127.0.0.1", 403, "may not ask"},
		}},
		{guard: "the site that asks", tries: []try{
			{"GET /api/solve?T=2", "Sec-Fetch-Site: same-origin", 200, ""},
			{"GET /?toy=easy", following("document"), 200, ""},
			{"GET /api/solve.png", "Sec-Fetch-Site: cross-site", 403, "other sites"},
			{"GET /api/solve", "Sec-Fetch-Site: same-site", 403, "other sites"},
			{"GET /", following("iframe"), 403, "other sites"},
			{"GET /api/solve?T=2", following("document"), 403, "other sites"},
			{"POST /", following("document"), 403, "other sites"},
			{"GET /", "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Dest: document", 403, "other sites"},
		}},
		{guard: "the token, where others can reach the bench", options: Options{Token: token}, tries: []try{
			{"GET /", "", 403, ""}, {"GET /api/catalog", "", 403, ""}, {"GET /assets/main.js", "", 403, ""},
			{"GET /nothing", "", 403, ""},
			{"GET /?token=", "", 403, ""},
			{"GET /?token=WRONG", "", 403, ""},
			{"GET /?token=" + token, "Origin: http://evil.example", 403, "may not ask"},
			{"GET /api/solve?T=2", "Cookie: breadboard_80=" + token, 200, ""},
			{"GET /api/solve?T=2", "Cookie: breadboard_81=" + token, 403, ""},
			{"GET /api/solve?T=2", "X-Breadboard-Token: " + token, 200, ""},
			{"GET /api/solve?T=2&token=" + token, "", 200, ""},
			{"GET /api/solve?T=2", "Cookie: breadboard_80=" + token + "\r\nOrigin: http://evil.example",
				403, "may not ask"},
		}, attack: func(s *siege) {
			body, header := s.gets(try{"GET /?token=" + token + "&toy=easy", "Host: lab.example", 200, ""})
			if cookie := header.Get("Set-Cookie"); !strings.Contains(cookie, "HttpOnly") ||
				!strings.Contains(cookie, "SameSite=Strict") ||
				strings.Contains(body, token) {
				s.Errorf("the page with its token: cookie %q", cookie)
			}
		}},
		{guard: "frames", tries: []try{
			{"GET /", following("iframe"), 403, "other sites"}, {"GET /", following("embed"), 403, "other sites"},
		}},
		{guard: "the method", tries: []try{
			{"DELETE /api/solve", "", 405, "takes the method GET"}, {"POST /api/solve", "", 405, ""},
			{"GET /api/file", "", 405, "takes the method POST"},
			{"HEAD /", "", 200, ""},
		}},
		{guard: "paths out of the folder", tries: []try{
			{"GET /assets/../server.go", "", 404, ""}, {"GET /assets/..%2fserver.go", "", 404, ""},
			{"GET /assets/%2e%2e/%2e%2e/etc/passwd", "", 404, ""},
			{"GET /assets//etc/passwd", "", 404, ""}, {"GET /assets/", "", 404, ""},
			{"GET /assets/index.html", "", 404, ""},
			{"GET /api/nothing", "", 404, "/api/catalog"},
			{"GET /api/solve.exe", "", 404, ""}, {"GET /assets/main.js", "", 200, ""},
		}},
		{guard: "numbers that are none", tries: []try{
			{"GET /api/solve?T=NaN", "", 400, `"parameter":"T"`},
			{"GET /api/solve?T=Inf", "", 400, `"parameter":"T"`},
			{"GET /api/solve?T=1e999", "", 400, `"parameter":"T"`},
			{"GET /api/solve?toy=cells:NaN:1", "", 400, `"parameter":"toy"`},
			{"GET /api/solve?toy=cells:Inf:1", "", 400, `"parameter":"toy"`},
			{"GET /api/solve?toy=potts:NaN:2x2:1", "", 400, "the toy has NaN states"},
			{"GET /api/solve?toy=potts:Inf:2x2:1", "", 400, "the toy has +Inf states"},
			{"GET /api/solve?toy=smooth:1:1:NaN", "", 400, "NaN passes"},
			{"GET /api/solve?initial=smoothed:NaN", "", 400, "NaN passes"},
			{"GET /api/solve?initial=tempered:NaN", "", 400, `"parameter":"initial"`},
			{"GET /api/solve?kernel=lazy:NaN", "", 400, `"parameter":"kernel"`},
			{"GET /api/solve?schedule=power:Inf", "", 400, `"parameter":"schedule"`},
			{"GET /api/curve.png?T=10&width=NaN", "", 400, `"parameter":"width"`},
		}},
		{guard: "toys that take all memory", attack: func(s *siege) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			for _, toy := range []string{
				"schools:3000x3000", "random:2:0:4096&kernel=heatbath", "random:2:0:4000x4000",
				"graph:hypercube:24:random:1:1", "mixture:" +
					strings.Repeat("1*random:1:1:250x250%2B", 40) + "1*easy",
			} {
				s.gets(try{"GET /api/gap?toy=" + toy, "", 400, ""})
			}
			runtime.ReadMemStats(&after)
			if taken := after.TotalAlloc - before.TotalAlloc; taken > 20<<20 {
				s.Errorf("refusing takes %d bytes", taken)
			}
		}},
		{guard: "questions that take too long, by their estimates",
			options: Options{Limits: limited(func(l *Limits) {
				l.Time = time.Millisecond
				l.Stream = 50 * time.Millisecond
			})}, tries: []try{
				{"GET /api/solve?T=10000", "", 400,
					`about 0.00314 seconds, and at most 0.001 are taken here","hint":"take a smaller T or a ` +
						`smaller space, or run the command in a terminal","parameter":"T"`},
				{"GET /api/solve?schedule=acceptance&T=100", "", 400, `"parameter":"schedule"`},
				{"GET /api/solve?schedule=friction&T=2", "", 400, `"parameter":"schedule"`},
				{"GET /api/schedule?schedule=cess&T=100", "", 400, `"parameter":"schedule"`},
				{"GET /api/target?T=2&toy=random:2:0:35x35&initial=smoothed:100000", "",
					400, `"parameter":"initial"`},
				{"GET /api/target?T=2&toy=smooth:1:1:100000:35x35", "", 400, `"parameter":"toy"`},
				{"GET /api/spectrum?T=2&betas=21", "", 400, `"parameter":"betas"`},
				{"GET /api/curve?T=2&Ts=1000,2000,3000", "", 400, `"parameter":"Ts"`},
				{"GET /api/chains?T=100&chains=100000&show=0", "", 400, "at most 0.05 are taken here"},
				{"GET /api/chains?T=100&chains=10&show=0", "", 200, "event: done"},
			}},
		{guard: "what is too long", tries: []try{
			{"GET /?x=" + strings.Repeat("x", limits.URL), "", 414, "at most"},
			{"GET /", "X-Long: " + strings.Repeat("x", 2*limits.Header), 431, ""},
			{"POST /api/file?name=a.csv", "Content-Length: 104857600", 413, "bytes"},
		}, attack: longBody},
		{guard: "a flood", options: Options{Workers: 2}, attack: flood},
		{guard: "a slow header", attack: slowHeader},
		{guard: "a slow body", attack: slowBody},
		{guard: "a slow reader", attack: slowReader},
		{guard: "a slow reader of events", attack: slowReaderOfEvents},
		{
			guard:   "many slow readers",
			options: Options{Limits: limited(func(l *Limits) { l.Held = 1 << 10 })},
			attack:  slowReaders,
		},
		{guard: "many slow senders", attack: slowSenders},
	} {
		t.Run(g.guard, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &siege{t, New(g.options), newWire()}
				ctx, end := context.WithCancel(t.Context())
				ended := make(chan error)
				go func() { ended <- s.server.Serve(ctx, s.wire) }()
				for _, c := range g.tries {
					if body, _ := s.gets(c); strings.Contains(body, token) {
						t.Errorf("%s: the answer has the token", c.request)
					}
				}
				if g.attack != nil {
					g.attack(s)
				}
				end()
				longtest.NoError(t, <-ended)
				time.Sleep(time.Second) // a connection that is closed with much unread stays for a moment
			})
		})
	}
}

// limited returns the usual limits with a change.
func limited(change func(*Limits)) Limits {
	l := DefaultLimits()
	change(&l)
	return l
}

// longBody: of a body of unknown length little more is read than a file may have.
func longBody(s *siege) {
	conn := s.wire.dial()
	var taken atomic.Int64
	go func() {
		fmt.Fprint(conn,
			"POST /api/file?name=a.csv HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n")
		part := fmt.Sprintf("%x\r\n%s\r\n", 1<<16, strings.Repeat("1", 1<<16))
		for range 1600 { // 100 MiB
			n, err := io.WriteString(conn, part)
			taken.Add(int64(n))
			if err != nil {
				return
			}
		}
	}()
	if status, body, _ := s.answer(conn); status != http.StatusRequestEntityTooLarge {
		s.Errorf("%d %s", status, body)
	}
	if got := taken.Load(); got > 2*s.server.options.Limits.Body {
		s.Errorf("%d bytes were taken", got)
	}
}

// flood: there is an answer for as many as there are places, and for those that may wait; the next
// one must come again, and the page is there meanwhile.
func flood(s *siege) {
	within := s.server.options.Workers + s.server.options.Limits.Queue
	open := make(chan struct{})
	instead(s.server, "/api/gap", func(own computation) computation {
		return func(ctx context.Context) (*reports.Report, error) {
			<-open
			return own(ctx)
		}
	})
	answers := make(chan int, within)
	for range within {
		go func() {
			status, _, _ := s.answer(s.send("GET /api/gap?"+small, "Connection: close"))
			answers <- status
		}()
	}
	synctest.Wait() // until all of them wait
	if n := len(answers); n > 0 {
		s.Errorf("%d are answered, and there is room for them to wait", n)
	}
	s.gets(try{"GET /api/gap?" + small, "", 429, "16 wait already"})
	s.gets(try{"GET /", "", 200, ""})
	close(open)
	for range within {
		if got := <-answers; got != http.StatusOK {
			s.Errorf("who has waited is answered by %d", got)
		}
	}
	s.gets(try{"GET /api/gap?" + small, "", 200, ""})
}

// slowHeader: a client that sends a header letter by letter is given up, and no other client waits
// for that.
func slowHeader(s *siege) {
	begun := time.Now()
	var slow []net.Conn
	for range 50 {
		c := s.wire.dial()
		fmt.Fprintf(c, "GET / HTTP/1.1\r\nHost: ")
		slow = append(slow, c)
	}
	s.gets(try{"GET /api/solve?T=2", "", 200, ""})
	for _, c := range slow {
		if _, err := io.ReadAll(c); err != nil {
			s.Fatalf("the connection is still open: %v", err)
		}
	}
	if took := time.Since(begun); took != headerTime {
		s.Errorf("the connections were closed after %v, and not after %v", took, headerTime)
	}
}

// slowBody: a client that sends a file letter by letter is given up.
func slowBody(s *siege) {
	begun := time.Now()
	conn := s.send("POST /api/file?name=a.csv", "Content-Length: 1000")
	go func() {
		for range 1000 {
			time.Sleep(time.Second)
			if _, err := io.WriteString(conn, "1"); err != nil {
				return
			}
		}
	}()
	if status, body, _ := s.answer(conn); status != http.StatusBadRequest ||
		!strings.Contains(body, "did not come whole") {
		s.Errorf("%d %s", status, body)
	}
	if took := time.Since(begun); took != requestTime {
		s.Errorf("it was given up after %v, and not after %v", took, requestTime)
	}
}

// slowReader: a client that does not read an answer is given up when it could have been read.
func slowReader(s *siege) {
	conn := s.send("GET /")
	time.Sleep(writeTime + time.Second)
	if got, _ := io.ReadAll(conn); len(got) > 0 {
		s.Errorf("the answer still comes: %.100s", got)
	}
}

// slowReaderOfEvents: a client that does not read an event is given up, also if those before it
// have been read.
func slowReaderOfEvents(s *siege) {
	failed := make(chan time.Duration, 1)
	s.server.routes["/api/stream"] = route{
		method: http.MethodGet,
		handle: func(ctx context.Context, to Reply, r *Request) error {
			return s.server.stream(ctx, to, r, func(_ context.Context, e *events) error {
				if err := e.send("first", object{}); err != nil {
					s.Errorf("nobody has read the first event: %v", err)
				}
				time.Sleep(time.Minute)
				begun := time.Now()
				err := e.send("second", object{})
				failed <- time.Since(begun)
				return err
			})
		},
	}
	conn := s.send("GET /api/stream")
	lines := bufio.NewReader(conn)
	for line := ""; line != "data: {}\n"; {
		var err error
		line, err = lines.ReadString('\n')
		if err != nil {
			s.Fatal(err)
		}
	}
	time.Sleep(time.Minute + writeTime + time.Second)
	select {
	case took := <-failed:
		if took != writeTime {
			s.Errorf("it was given up after %v, and not after %v", took, writeTime)
		}
	default:
		s.Error("the event still waits to be read")
	}
}

// slowReaders: where answers wait to be read that fill the memory for them, the next one is told to
// come again; a short message is always there, and so is an answer once they have gone. Large
// answers keep no small one waiting, nor small ones a large one.
func slowReaders(s *siege) {
	s.server.routes["/api/large"] = route{
		method: http.MethodGet,
		handle: func(_ context.Context, to Reply, _ *Request) error {
			return s.server.write(to, nil, make([]byte, smallAnswer+1))
		},
	}
	for _, at := range []struct {
		this, other string
	}{{"GET /", "GET /api/large"}, {"GET /api/large", "GET /"}} {
		reading := s.send(at.this) // a single answer may have any size
		synctest.Wait()
		s.gets(try{at.this, "", 429, "ask again in a second"})
		s.gets(try{at.other, "", 200, ""})
		s.gets(try{"POST /api/file?name=a.csv", "Content-Length: 0", 400, "empty"})
		s.gets(try{"GET /nothing", "", 404, ""})
		reading.Close()
		synctest.Wait()
		s.gets(try{at.this, "", 200, ""})
	}
	s.holdsNothing()
}

// slowSenders: a file that does not come whole takes the memory that it says, up to that of the
// largest file, and no answer waits for it.
func slowSenders(s *siege) {
	file := "POST /api/file?name=a.csv"
	whole := try{file, "Content-Length: 0", 400, "empty"}
	var sending []net.Conn
	for range s.server.options.Limits.Held / s.server.options.Limits.Body {
		sending = append(sending, s.send(file, "Content-Length: 10"))
	}
	synctest.Wait()
	s.gets(try{"GET /", "", 200, "<html"})
	s.gets(try{"GET /api/solve?toy=easy&T=2", "", 200, ""})
	s.gets(whole)
	for range s.server.options.Limits.Held/s.server.options.Limits.Body - 1 {
		// these do not say how long they are
		sending = append(sending, s.send(file, "Transfer-Encoding: chunked"))
	}
	synctest.Wait()
	s.gets(try{"GET /", "", 200, "<html"})
	s.gets(try{file, "Content-Length: 1048576", 429, "files of"})
	for _, conn := range sending {
		conn.Close()
	}
	synctest.Wait()
	s.gets(whole)
	s.holdsNothing()
}

// holdsNothing fails if bytes are held although nothing is under way.
func (s *siege) holdsNothing() {
	s.Helper()
	if held := s.server.held.held + s.server.small.held + s.server.files.held; held != 0 {
		s.Errorf("%d bytes are held when all are answered", held)
	}
}

// wire is a network inside of the test, so that time on it is that of synctest: it passes while
// everybody waits, and at once.
type wire struct {
	calls chan net.Conn
	down  <-chan struct{}
	hang  context.CancelFunc
}

func newWire() *wire {
	down, hang := context.WithCancel(context.Background())
	return &wire{make(chan net.Conn), down.Done(), hang}
}

// Accept waits for a client.
func (w *wire) Accept() (net.Conn, error) {
	select {
	case c := <-w.calls:
		return c, nil
	case <-w.down:
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
	through := &http.Transport{
		DisableKeepAlives: true,
		DialContext:       func(context.Context, string, string) (net.Conn, error) { return w.dial(), nil },
	}
	r, err := (&http.Client{Transport: through}).Get("http://127.0.0.1" + path)
	if err != nil {
		return err.Error()
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	return fmt.Sprint(r.Status, " ", string(body), err)
}

// TestTooLong: an answer that takes longer than the limit is given up, and says so, also if the
// computation goes on.
func TestTooLong(t *testing.T) {
	for _, hears := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			s := New(Options{})
			over := make(chan struct{})
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
			if took := time.Since(begun); took != s.options.Limits.Stream {
				t.Errorf("it was given up after %v", took)
			}
			if w.Code != http.StatusServiceUnavailable ||
				!strings.Contains(w.Body.String(), "takes longer than 5m0s") {
				t.Errorf("%d %s", w.Code, w.Body)
			}
		})
	}
}

// TestShutdown: the bench ends within a second, with a stream open, a computation under way, and a
// client that reads nothing, and says so to those who wait.
func TestShutdown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := New(Options{})
		w := newWire()
		over := make(chan struct{})
		defer close(over)
		s.routes["/api/stream"] = route{
			method: http.MethodGet,
			handle: func(ctx context.Context, to Reply, r *Request) error {
				return s.stream(ctx, to, r, func(ctx context.Context, e *events) error {
					if err := e.send("progress", object{}); err != nil {
						return err
					}
					<-ctx.Done()
					return ctx.Err()
				})
			},
		}
		instead(s, "/api/samples", func(computation) computation {
			return func(context.Context) (*reports.Report, error) {
				<-over // it hears nothing of the end
				return nil, errors.New("nobody waits for this")
			}
		})
		ctx, end := context.WithCancel(context.Background())
		ended := make(chan error)
		stream := make(chan string)
		computation := make(chan string)
		go func() { ended <- s.Serve(ctx, w) }()
		go func() { stream <- w.whole("/api/stream") }()
		go func() { computation <- w.whole("/api/samples?" + small) }()
		deaf := w.dial()
		defer deaf.Close()
		fmt.Fprintf(deaf, "GET /api/solve?T=2 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n") // the answer is not read
		synctest.Wait()                                                             // until all are under way
		begun := time.Now()
		end()
		longtest.NoError(t, <-ended)
		if took := time.Since(begun); took > time.Second {
			t.Errorf("the end took %v", took)
		}
		if got := <-stream; !strings.Contains(got, "event: progress") ||
			!strings.Contains(got, "event: failed\ndata: {\"error\":\"the server is shutting down\",\"hint\":\"\"}") {
			t.Errorf("the stream: %.300s", got)
		}
		if got := <-computation; !strings.Contains(got, "503") || !strings.Contains(got, "shutting down") {
			t.Errorf("the computation under way: %s", got)
		}
	})
}

// TestClientGoesAway: a computation ends when no client waits for it any more, so that its place is
// free. Each of these takes many minutes.
func TestClientGoesAway(t *testing.T) {
	longtest.Only(t)
	limits := DefaultLimits()
	limits.Stages = limits.T
	limits.Repeated = math.MaxInt64
	limits.Time = 1e6 * time.Hour
	s := New(Options{Limits: limits, Workers: 1})
	at := Listen(t, s)
	for _, query := range []string{
		"solve?toy=random:2:0:250x250", "curve?toy=random:2:0:250x250&Ts=1000000", "gap?toy=random:2:0:30x30",
		"law?toy=random:2:0:25x25",
		"samples?toy=random:2:0:25x25",
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
		longtest.NoError(t, l.waitForPlace(free))
		l.leave()
		cancel()
	}
}
