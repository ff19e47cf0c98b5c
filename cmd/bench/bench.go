// Package bench answers: what does an annealing that a user describes in a browser do? It serves a
// page and an HTTP API, whose answers are the rows of the commands, computed anew for each request.
// It keeps no state between requests, reads no files, starts no programs, and never computes
// anything itself.
//
// The page also works without a server. cmd/benchwasm is the bench as a program for browsers,
// assets/browser.js hands it the requests of the page, and .ci/dist writes the folder of both.
// What needs net/http is in server.go and guard.go, which that program leaves out: it would be a
// third larger.
//
// # Add a route
//
// A study of the catalogue that is about an annealing has its route (derivedRoute in studies.go).
// Another route answers with rows of its own form, or with something else that the page shows.
//
//  1. In studies.go write a studyRoute: its parameters, the study whose estimates limit its size,
//     slow if it may take seconds, and plan, which checks a question before it says how many rows
//     there are, what computes them, and which command and program make the same rows. Add it to
//     ownRoutes in study.go. An answer of another form is a handler, like target in stages.go, or,
//     with events, like optimize in streams.go, and a line of allRoutes in bench.go.
//  2. Its computation is in exact or experiments. All work runs in a lane, and nothing is kept
//     between requests.
//  3. Each parameter is read by readQuestion, which returns an error for all others, and is bounded
//     by Limits.
//  4. Test rows against the command, and bad parameters, in bench_test.go, and too large questions
//     in guards_test.go.
//  5. Describe it in cmd/breadboard/topics/page.md; TestRoutesAreDocumented checks this.
//
// # Add a section to the page
//
// The page is in assets: index.html is a template, scripts are modules without a build step, and
// nothing computes there. Styles are only in bench.css, because the Content-Security-Policy forbids
// them in elements.
//
//  1. For a study: a section with data-section="NAME" that ends with the template "study", and a
//     line in STUDIES of main.js.
//  2. Anything else: a module with a class, like time.js, with work and done in #order of main.js.
//     Its memory is the URL (PLACES of state.js). Texts become text nodes, colours come from
//     colours.js, and every control has a label and keys.
//  3. Write a walk in cmd/breadboard/page_NAME_test.go, by mouse and by keys, that
//     compares what is shown with the library and ends with quiet.
//  4. Describe it and its keys in cmd/breadboard/topics/page.md.
package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/url"
	"runtime"

	"breadboard/chains/errs"
	"breadboard/experiments/forms"
	"breadboard/experiments/study"
	"breadboard/experiments/subject"
)

// Options say how a bench is served.
type Options struct {
	Version string               // what the page and the catalogue call the program's version
	Token   string               // must come with every request; empty if only this machine can reach the bench
	Studies []*study.Declaration // those of the catalogue, each of which has a route if it is about an annealing
	Workers int                  // how many computations of each kind run at once; 0 is one for each processor
	Log     io.Writer            // receives what went wrong inside; nil for nothing
	Limits  Limits               // what a request may take; the zero value stands for DefaultLimits
}

// Request is a question of a page.
type Request struct {
	Method string
	URL    *url.URL
	Size   int64 // of the body, in bytes; negative if it is not known
	Body   io.Reader
}

// Reply takes an answer: first its head, once, and then its parts, each of which goes to the client
// at once.
type Reply interface {
	Head(status int, header map[string]string)
	Part(content []byte) error // fails if the client has gone
}

// The statuses of HTTP that answers have, and the methods that a bench takes.
const (
	statusOK          = 200
	statusBadRequest  = 400
	statusNotFound    = 404
	statusNotAllowed  = 405
	statusTooLarge    = 413
	statusTooLong     = 414
	statusTooMany     = 429
	statusInternal    = 500
	statusUnavailable = 503

	methodGet  = "GET"
	methodHead = "HEAD"
	methodPost = "POST"
)

// tokenName is the name of the parameter that has the token.
const tokenName = "token"

// Server answers the requests of pages. It is made by New.
type Server struct {
	options Options
	forms   subject.Forms
	routes  map[string]route // those of the page and of what it loads are added by Serve
	first   *lane            // for the answers that follow each stroke of the brush, which wait for no others
	quick   *lane            // for other answers in milliseconds
	slow    *lane            // for answers that may take seconds
	streams *lane            // for answers that come in parts
	held    *budget          // of large answers
	small   *budget          // of small answers, which no large one and no file keeps waiting
	files   *budget          // of files that have not come whole
	log     *log.Logger
}

// New returns a server. Its Serve may be called once.
func New(o Options) *Server {
	if o.Workers <= 0 {
		o.Workers = runtime.NumCPU()
	}
	if o.Limits == (Limits{}) {
		o.Limits = DefaultLimits()
	}
	if o.Log == nil {
		o.Log = io.Discard
	}
	s := &Server{options: o, forms: forms.All(), log: log.New(o.Log, "breadboard serve: ", 0)}
	for b, what := range map[**budget]string{&s.held: "answers", &s.small: "answers", &s.files: "files"} {
		*b = &budget{what: what, most: o.Limits.Held}
	}
	for _, l := range []**lane{&s.first, &s.quick, &s.slow} {
		*l = newLane(o.Workers, o.Limits.Queue, s.log)
	}
	// a client that has cancelled one may ask for the next before the place is free
	s.streams = newLane(o.Workers, o.Workers, s.log)
	s.routes = s.allRoutes()
	return s
}

// errClosing is the cause with which requests end when the server does.
var errClosing = errors.New("the server is shutting down")

// Answer answers one request. A request that panics is answered too, and logged.
func (s *Server) Answer(ctx context.Context, to Reply, r *Request) {
	defer func() {
		if p := recover(); p != nil {
			s.log.Printf("%s %s panicked: %v", r.Method, r.URL.Path, p)
			s.fail(to, failure{status: statusInternal, error: errs.New(
				"this is a mistake in breadboard itself, and not in the question; the terminal of " +
					"breadboard serve says more, please report it",
			)})
		}
	}()
	if err := s.answerRoute(ctx, to, r); err != nil {
		s.fail(to, err)
	}
}

// answerRoute finds the route of a request and has it answer.
func (s *Server) answerRoute(ctx context.Context, to Reply, r *Request) error {
	if n := len(r.URL.RequestURI()); n > s.options.Limits.URL {
		return failf(statusTooLong, "",
			"the address has %d characters; at most %d are read: paint fewer cells, or shorter numbers", n,
			s.options.Limits.URL)
	}
	found, known := s.routes[r.URL.Path]
	if !known {
		found, known = s.download(r.URL.Path)
	}
	if !known {
		return failf(statusNotFound,
			"", "there is nothing at %q; /api/catalog says what there is to ask about", short(r.URL.Path))
	}
	if !found.takes(r.Method) {
		return failure{status: statusNotAllowed, allow: found.method,
			error: fmt.Errorf("%s takes the method %s, and not %s", r.URL.Path, found.method, short(r.Method))}
	}
	return found.handle(ctx, to, r)
}

// short cuts an external text for a message.
func short(text string) string {
	const most = 80
	if len(text) > most {
		return text[:most] + "..."
	}
	return text
}

// route is what is at a path.
type route struct {
	method string
	handle func(context.Context, Reply, *Request) error
	study  *studyRoute // what is computed there, if that is a study of an annealing
}

// takes reports whether the route answers a method. A request for the header alone gets that of the
// answer.
func (r route) takes(method string) bool {
	return method == r.method || method == methodHead && r.method == methodGet
}

// allRoutes returns what is at each path.
func (s *Server) allRoutes() map[string]route {
	get := func(handle func(context.Context, Reply, *Request) error) route {
		return route{method: methodGet, handle: handle}
	}
	all := map[string]route{
		"/api/catalog":  get(s.catalog),
		"/api/target":   get(s.target),
		"/api/frames":   get(s.frames),
		"/api/follow":   get(s.follow),
		"/api/chains":   get(s.chains),
		"/api/optimize": get(s.optimize),
		"/api/file":     {method: methodPost, handle: s.file},
		"/api/draws":    {method: methodPost, handle: s.draws},
	}
	for _, study := range s.studies() {
		all["/api/"+study.name] = route{method: methodGet, study: &study,
			handle: func(ctx context.Context, to Reply, r *Request) error { return s.study(ctx, to, r, &study) }}
	}
	return all
}
