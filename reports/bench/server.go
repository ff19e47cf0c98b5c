// Package bench answers: what does an annealing that a user describes in a browser do? It serves a
// page and an HTTP API, whose answers are the rows of the commands, computed anew for each request.
// It keeps no state between requests, reads no files, starts no programs, and never computes
// anything itself.
//
// The page also works without a server. cmd/benchwasm is the bench as a program for browsers,
// assets/browser.js hands it the requests of the page, and .ci/dist writes the folder of both.
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
//     with events, like optimize in streams.go, and a line of allRoutes in server.go.
//  2. Its computation is in exact or experiments. All work runs in a lane, and nothing is kept
//     between requests.
//  3. Each parameter is read by ask, which returns an error for all others, and is bounded by Limits.
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
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"log"
	"mime"
	"net"
	"net/http"
	"path"
	"runtime"
	"strings"
	"time"
)

// Options say how a bench is served.
type Options struct {
	Version string    // what the page and the catalogue call the program's version
	Token   string    // must come with every request; empty if only this machine can reach the bench
	Framed  bool      // whether pages of this machine may show the bench in a frame, as notebooks do
	Studies []Served  // those of the catalogue, each of which has a route if it is about an annealing
	Workers int       // how many computations of each kind run at once; 0 is one for each processor
	Log     io.Writer // receives what went wrong inside; nil for nothing
	Limits  Limits    // what a request may take; the zero value stands for DefaultLimits
}

// Server answers the requests of pages. It is made by New. In a browser, where there is no network,
// it is the http.Handler of a page.
type Server struct {
	options Options
	guard   guard
	routes  map[string]route
	page    map[string]route // of the page and what it loads; those of a browser have none
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
	s := &Server{options: o, log: log.New(o.Log, "breadboard serve: ", 0)}
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

// Times after which a client that does not go on is given up.
const (
	headerTime  = 5 * time.Second
	requestTime = 20 * time.Second
	idleTime    = time.Minute
	writeTime   = 20 * time.Second
)

// closing is the time that answers under way have to say that the server ends.
const closing = 300 * time.Millisecond

// errClosing is the cause with which requests end when the server does.
var errClosing = errors.New("the server is shutting down")

// Serve answers requests until the context ends, which is not an error. It then ends the requests
// in progress, and returns within a second.
func (s *Server) Serve(ctx context.Context, on net.Listener) error {
	s.guard = newGuard(on.Addr(), s.options.Token)
	s.guard.framed = s.options.Framed
	if err := s.addPage(); err != nil {
		return err
	}
	inside, end := context.WithCancelCause(context.WithoutCancel(ctx))
	defer end(nil)
	server := &http.Server{
		Handler:           s,
		BaseContext:       func(net.Listener) context.Context { return inside },
		ReadHeaderTimeout: headerTime, ReadTimeout: requestTime, IdleTimeout: idleTime,
		MaxHeaderBytes: s.options.Limits.Header,
		// of broken connections and bad requests, which are their senders' business
		ErrorLog: log.New(io.Discard, "", 0),
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(on) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	end(errClosing)
	wait, cancel := context.WithTimeout(context.WithoutCancel(ctx), closing)
	defer cancel()
	if server.Shutdown(wait) != nil {
		server.Close()
	}
	return nil
}

// ServeHTTP answers one request. A request that panics is answered too, and logged.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer func() {
		if p := recover(); p != nil {
			s.log.Printf("%s %s panicked: %v", r.Method, r.URL.Path, p)
			s.fail(w, failure{status: http.StatusInternalServerError,
				error: errors.New(
					"this is a mistake in breadboard itself, and not in the question; the terminal of " +
						"breadboard serve says more, please report it")})
		}
	}()
	s.guard.secure(w.Header())
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(s.options.Limits.Stream + writeTime))
	if err := s.answer(w, r); err != nil {
		s.fail(w, err)
	}
}

// answer finds the route of a request and has it answer.
func (s *Server) answer(w http.ResponseWriter, r *http.Request) error {
	if n := len(r.RequestURI); n > s.options.Limits.URL {
		return failf(http.StatusRequestURITooLong, "",
			"the address has %d characters; at most %d are read: paint fewer cells, or shorter numbers", n,
			s.options.Limits.URL)
	}
	if err := s.guard.admit(w, r); err != nil {
		return err
	}
	found, known := s.routes[r.URL.Path]
	if !known {
		found, known = s.page[r.URL.Path]
	}
	if !known {
		found, known = s.download(r.URL.Path)
	}
	if !known {
		return failf(http.StatusNotFound,
			"", "there is nothing at %q; /api/catalog says what there is to ask about", short(r.URL.Path))
	}
	if !found.takes(r.Method) {
		w.Header().Set("Allow", found.method)
		return failf(http.StatusMethodNotAllowed, "", "%s takes the method %s, and not %s", r.URL.Path,
			found.method, short(r.Method))
	}
	return found.handle(w, r)
}

// short cuts an external text for a message.
func short(text string) string {
	const most = 80
	if len(text) > most {
		return text[:most] + "..."
	}
	return text
}

// URL returns the address of the page of a bench that listens at an address, with its token.
func URL(host string, port int, token string) string {
	address := fmt.Sprintf("http://%s/", net.JoinHostPort(host, fmt.Sprint(port)))
	if token != "" {
		address += "?" + tokenName + "=" + token
	}
	return address
}

// route is what is at a path.
type route struct {
	method string
	handle func(http.ResponseWriter, *http.Request) error
	study  *studyRoute // what is computed there, if that is a study of an annealing
}

// takes reports whether the route answers a method. A request for the header alone gets that of the
// answer.
func (r route) takes(method string) bool {
	return method == r.method || method == http.MethodHead && r.method == http.MethodGet
}

// allRoutes returns what is at each path.
func (s *Server) allRoutes() map[string]route {
	get := func(handle func(http.ResponseWriter, *http.Request) error) route {
		return route{method: http.MethodGet, handle: handle}
	}
	all := map[string]route{
		"/api/catalog":  get(s.catalog),
		"/api/target":   get(s.target),
		"/api/frames":   get(s.frames),
		"/api/follow":   get(s.serveStages),
		"/api/chains":   get(s.chains),
		"/api/optimize": get(s.optimize),
		"/api/file":     {method: http.MethodPost, handle: s.file},
		"/api/draws":    {method: http.MethodPost, handle: s.draws},
	}
	for _, study := range s.studies() {
		all["/api/"+study.name] = route{method: http.MethodGet, study: &study,
			handle: func(w http.ResponseWriter, r *http.Request) error { return s.study(w, r, &study) }}
	}
	return all
}

// indexName is the file that is the page itself.
const indexName = "index.html"

// addPage adds the routes of the page and of what it loads. The parameters in its address describe
// an annealing, and are for its script alone.
func (s *Server) addPage() error {
	files, err := Files(s.options.Version, false)
	s.page = map[string]route{}
	for name, content := range files {
		s.page["/"+strings.TrimSuffix(name, indexName)] = route{
			method: http.MethodGet,
			handle: func(w http.ResponseWriter, _ *http.Request) error {
				return s.write(w, typeOf(name), content)
			},
		}
	}
	return err
}

// Files returns the files of the page by their paths: the page and what it loads. With inBrowser
// the page is the one that uses the program in the browser, otherwise the one of a server.
func Files(version string, inBrowser bool) (map[string][]byte, error) {
	files := map[string][]byte{}
	names, err := fs.Glob(assets(), "*")
	for _, name := range names {
		content, failed := fs.ReadFile(assets(), name)
		err = errors.Join(err, failed)
		files["assets/"+name] = content
	}
	delete(files, "assets/"+indexName)
	page, failed := template.ParseFS(assets(), indexName)
	err = errors.Join(err, failed)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = page.Execute(&b, struct {
		Version   string
		InBrowser bool
	}{version, inBrowser})
	files[indexName] = b.Bytes()
	return files, err
}

// typeOf returns the type of a file by its ending. The types that the page needs are the same on
// every system.
func typeOf(name string) string {
	switch ending := path.Ext(name); ending {
	case ".html":
		return "text/html; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	default:
		if known := mime.TypeByExtension(ending); known != "" {
			return known
		}
		return "application/octet-stream"
	}
}

//go:embed assets
var embedded embed.FS

// assets returns the files of the page: index.html, which is a template, and what it loads.
func assets() fs.FS {
	inside, err := fs.Sub(embedded, "assets")
	if err != nil {
		panic(err) // only for a name that is no path
	}
	return inside
}
