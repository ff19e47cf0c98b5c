//go:build !js

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
	"strings"
	"time"
)

// Times after which a client that does not go on is given up.
const (
	headerTime  = 5 * time.Second
	requestTime = 20 * time.Second
	idleTime    = time.Minute
	writeTime   = 20 * time.Second
)

// closing is the time that answers under way have to say that the server ends.
const closing = 300 * time.Millisecond

// Serve answers requests until the context ends, which is not an error. It then ends the requests
// in progress, and returns within a second.
func (s *Server) Serve(ctx context.Context, on net.Listener) error {
	if err := s.addPage(); err != nil {
		return err
	}
	g := newGuard(on.Addr(), s.options.Token)
	inside, end := context.WithCancelCause(context.WithoutCancel(ctx))
	defer end(nil)
	server := &http.Server{
		Handler:           &site{s, g},
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

// site is a bench at an address.
type site struct {
	server *Server
	guard  guard
}

// ServeHTTP answers one request, unless it comes from those who may not ask.
func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.guard.secure(w.Header())
	to := reply{w, http.NewResponseController(w)}
	to.mayTake(s.server.options.Limits.Stream + writeTime)
	if err := s.guard.admit(w, r); err != nil {
		s.server.fail(to, err)
		return
	}
	s.server.Answer(r.Context(), to, &Request{r.Method, r.URL, r.ContentLength, r.Body})
}

// reply is an answer over a network.
type reply struct {
	w       http.ResponseWriter
	control *http.ResponseController
}

// mayTake gives the client that long to read what is written from now on.
func (r reply) mayTake(long time.Duration) { _ = r.control.SetWriteDeadline(time.Now().Add(long)) }

func (r reply) Head(status int, header map[string]string) {
	for name, value := range header {
		r.w.Header().Set(name, value)
	}
	r.w.WriteHeader(status)
}

func (r reply) Part(content []byte) error {
	r.mayTake(writeTime)
	if _, err := r.w.Write(content); err != nil {
		return err
	}
	return r.control.Flush()
}

// URL returns the address of the page of a bench that listens at an address, with its token.
func URL(host string, port int, token string) string {
	address := fmt.Sprintf("http://%s/", net.JoinHostPort(host, fmt.Sprint(port)))
	if token != "" {
		address += "?" + tokenName + "=" + token
	}
	return address
}

// indexName is the file that is the page itself.
const indexName = "index.html"

// addPage adds the routes of the page and of what it loads. The parameters in its address describe
// an annealing, and are for its script alone.
func (s *Server) addPage() error {
	files, err := Files(s.options.Version, false)
	for name, content := range files {
		header := map[string]string{contentType: typeOf(name)}
		s.routes["/"+strings.TrimSuffix(name, indexName)] = route{method: methodGet,
			handle: func(_ context.Context, to Reply, _ *Request) error { return s.write(to, header, content) }}
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
