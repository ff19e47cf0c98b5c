package bench

import (
	"bytes"
	"encoding/json"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// example is a request of each route, whose answers are to be described.
func example() map[string]string {
	const annealing = "?toy=cells:0:1:2/1:0:0&T=5"
	return map[string]string{
		"/api/catalog": "", "/api/target": annealing, "/api/frames": annealing, "/api/follow": annealing + "&stage=2&state=1", "/api/chains": annealing + "&chains=16", "/api/optimize": annealing,
		"/api/file": "?name=a.csv",
	}
}

// fields adds the names of all members of a value of JSON to a list.
func fields(list []string, value any) []string {
	switch v := value.(type) {
	case map[string]any:
		for name, member := range v {
			list = fields(append(list, name), member)
		}
	case []any:
		for _, member := range v {
			list = fields(list, member)
		}
	}
	return list
}

// TestRoutesAreDocumented: the page about the bench names every route with its parameters, every field of its answers, where the
// reference does not, and every event.
func TestRoutesAreDocumented(t *testing.T) {
	longtest.NotShort(t)
	page := longtest.Must(os.ReadFile("../../cmd/breadboard/topics/page.md"))(t)
	reference := longtest.Must(os.ReadFile("../../cmd/breadboard/topics/reference.md"))(t)
	described := func(name string) bool {
		return bytes.Contains(page, []byte("`"+name+"`")) || bytes.Contains(reference, []byte("`"+name+"`"))
	}
	s := New(Options{})
	s.guard = newGuard(&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 80}, "")
	examples, requests := example(), 0
	for path, found := range s.allRoutes() {
		if path == "/" {
			continue
		}
		if derived := found.study != nil && found.study.own != nil; !derived && !bytes.Contains(page, []byte("| `"+path+"` |")) {
			t.Errorf("the page has no line for %s", path)
		}
		query, special := examples[path]
		if found.study != nil {
			query, special = examples["/api/target"], true
			for _, name := range append(found.study.more, columnsName) {
				if !described(name) {
					t.Errorf("%s: nothing says what %s is", path, name)
				}
			}
		}
		if !special {
			t.Errorf("%s has no example here", path)
			continue
		}
		requests++
		for _, name := range answered(t, s, found.method, path+query) {
			if !described(name) {
				t.Errorf("%s: nothing says what %s is", path, name)
			}
		}
	}
	if requests < 10 {
		t.Errorf("only %d routes were asked", requests)
	}
}

// recorder takes an answer.
type recorder struct {
	bytes.Buffer
	header http.Header
	status int
}

func (r *recorder) Header() http.Header    { return r.header }
func (r *recorder) WriteHeader(status int) { r.status = status }
func (r *recorder) Flush()                 {}

// answered returns the names of the members of an answer, and those of its events.
func answered(t *testing.T, s *Server, method, address string) (list []string) {
	t.Helper()
	request := longtest.Must(http.NewRequestWithContext(t.Context(), method, "http://127.0.0.1:80"+address, strings.NewReader("0,1\n")))(t)
	request.RequestURI = address
	r := &recorder{header: http.Header{}, status: http.StatusOK}
	s.serve(r, request)
	if r.status != http.StatusOK {
		t.Fatalf("%s: %d %s", address, r.status, r.String())
	}
	text := r.String()
	if !strings.Contains(r.header.Get("Content-Type"), "event-stream") {
		text = "data: " + text
	}
	for line := range strings.SplitSeq(text, "\n") {
		if name, is := strings.CutPrefix(line, "event: "); is {
			list = append(list, name)
			continue
		}
		data, is := strings.CutPrefix(line, "data: ")
		if !is {
			continue
		}
		var value any
		if err := json.Unmarshal([]byte(data), &value); err != nil {
			t.Fatalf("%s: %v in %s", address, err, data)
		}
		list = fields(list, value)
	}
	if len(list) == 0 {
		t.Fatalf("%s: no fields", address)
	}
	slices.Sort(list)
	return slices.Compact(list)
}
