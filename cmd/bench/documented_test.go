package bench

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"breadboard/cmd/catalogue"
	"breadboard/grid/longtest"
)

// example is a request of each route, whose answers are to be described.
func example() map[string]string {
	const annealing = "?toy=cells:0:1:2/1:0:0&T=5"
	return map[string]string{
		"/api/catalog": "", "/api/target": annealing, "/api/frames": annealing,
		"/api/follow": annealing + "&stage=2&state=1", "/api/chains": annealing +
			"&chains=16", "/api/optimize": annealing,
		"/api/file": "?name=a.csv", "/api/draws": "?name=a.csv&as=draws",
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

// TestRoutesAreDocumented: the page about the bench names every route with its parameters, every
// field of its answers, where the reference does not, and every event.
func TestRoutesAreDocumented(t *testing.T) {
	longtest.Only(t)
	page := longtest.Must(os.ReadFile("../../cmd/breadboard/topics/page.md"))(t)
	reference := longtest.Must(os.ReadFile("../../cmd/breadboard/topics/reference.md"))(t)
	described := func(name string) bool {
		return bytes.Contains(page, []byte("`"+name+"`")) || bytes.Contains(reference, []byte("`"+name+"`"))
	}
	s := New(Options{Studies: catalogue.Studies()})
	examples := example()
	requests := 0
	for path, found := range s.allRoutes() {
		if path == "/" {
			continue
		}
		if derived := found.study != nil && found.study.own != nil; !derived &&
			!bytes.Contains(page, []byte("| `"+path+"` |")) {
			t.Errorf("the page has no line for %s", path)
		}
		query, special := examples[path]
		if found.study != nil {
			query = examples["/api/target"]
			special = true
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

// answered returns the names of the members of an answer, and those of its events.
func answered(t *testing.T, s *Server, method, address string) (list []string) {
	t.Helper()
	w := handed(s, httptest.NewRequest(method, address, strings.NewReader("0,1\n")))
	text := w.Body.String()
	if w.Code != http.StatusOK {
		t.Fatalf("%s: %d %s", address, w.Code, text)
	}
	if !strings.Contains(w.Header().Get("Content-Type"), "event-stream") {
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

// TestLessonsAreAnswered: a page that computes in the browser has a route for each question of its
// lessons.
func TestLessonsAreAnswered(t *testing.T) {
	s := New(Options{Studies: catalogue.Lessons()})
	asked := regexp.MustCompile(`rows\("([a-z-]+)"`).FindAllStringSubmatch(textOf(t, "lessons.js"), -1)
	for _, m := range asked {
		if _, known := s.routes["/api/"+m[1]]; !known {
			t.Errorf("a lesson asks %s, and no route answers", m[1])
		}
	}
	if len(asked) == 0 {
		t.Error("no lesson asks anything")
	}
}

// textOf returns a file of the page.
func textOf(t *testing.T, name string) string {
	t.Helper()
	text := longtest.Must(fs.ReadFile(assets(), name))(t)
	return string(text)
}

// modules returns the names of the page's scripts.
func modules(t *testing.T) []string {
	t.Helper()
	names, err := fs.Glob(assets(), "*.js")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	return names
}

// TestPageIsSelfContained holds that nothing on the page needs what its own Content-Security-Policy
// forbids: scripts and styles inside of the page, markup made of texts, and anything of another
// server.
func TestPageIsSelfContained(t *testing.T) {
	forbidden := map[string]*regexp.Regexp{
		"an address of another server": regexp.MustCompile(`(?i)(https?:)?//[a-z0-9-]+\.[a-z]|@import`),
		"a style in the page":          regexp.MustCompile(`(?i)<style|\sstyle=|setAttribute\("style"|cssText`),
		"a handler in the page":        regexp.MustCompile(`(?i)<[a-z][^>]*\son[a-z]+=|javascript:`),
		"a script in the page":         regexp.MustCompile(`(?i)<script[^>]*>[^<]`),
		"markup that is made of texts": regexp.MustCompile(
			`innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function`,
		),
	}
	names := longtest.Must(fs.Glob(assets(), "*"))(t)
	for _, name := range names {
		// names of languages, which are not fetched
		text := strings.ReplaceAll(textOf(t, name), "http://www.w3.org/", "")
		for what, pattern := range forbidden {
			if found := pattern.FindString(text); found != "" {
				t.Errorf("%s has %s: %q", name, what, found)
			}
		}
	}
}

// TestModulesFindWhatTheyName holds that every module which is imported is there, and every element
// of the page that a module asks for by its name.
func TestModulesFindWhatTheyName(t *testing.T) {
	page := textOf(t, indexName)
	imported := regexp.MustCompile(`from "\./([^"]+)"`)
	element := regexp.MustCompile(`(?:\bel|getElementById)\("([^"$]+)"\)`)
	count := 0
	for _, name := range modules(t) {
		text := textOf(t, name)
		for _, found := range imported.FindAllStringSubmatch(text, -1) {
			textOf(t, found[1])
		}
		for _, found := range element.FindAllStringSubmatch(text, -1) {
			count++
			if !strings.Contains(page, `id="`+found[1]+`"`) {
				t.Errorf("%s asks for the element %q, which the page does not have", name, found[1])
			}
		}
	}
	if count < 50 {
		t.Errorf("only %d elements were found in the modules", count)
	}
}
