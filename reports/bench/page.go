package bench

import (
	"bytes"
	"html/template"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"
)

// indexName is the file that is the page itself.
const indexName = "index.html"

// page answers with the page. The parameters in its address describe an annealing, and are for its script alone.
func (s *Server) page(w http.ResponseWriter, _ *http.Request) error {
	t, err := template.ParseFS(assets(), indexName)
	if err != nil {
		return internal(err)
	}
	var b bytes.Buffer
	if err := t.Execute(&b, struct{ Version string }{s.options.Version}); err != nil {
		return internal(err)
	}
	return s.write(w, "text/html; charset=utf-8", b.Bytes())
}

// assetsPath is the beginning of the paths of what the page loads.
const assetsPath = "/assets/"

// asset returns the route of a file that the page loads.
func (s *Server) asset(at string) (route, bool) {
	name, is := strings.CutPrefix(at, assetsPath)
	if !is || name == indexName || !fs.ValidPath(name) {
		return route{}, false
	}
	content, err := fs.ReadFile(assets(), name)
	if err != nil {
		return route{}, false
	}
	return route{method: http.MethodGet, handle: func(w http.ResponseWriter, _ *http.Request) error {
		return s.write(w, typeOf(name), content)
	}}, true
}

// typeOf returns the type of a file by its ending. The types that the page needs are the same on every system.
func typeOf(name string) string {
	switch ending := path.Ext(name); ending {
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
