package bench

import (
	"io/fs"
	"regexp"
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

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

// TestPageIsSelfContained holds that nothing on the page needs what its own Content-Security-Policy forbids: scripts and styles inside of
// the page, markup made of texts, and anything of another server.
func TestPageIsSelfContained(t *testing.T) {
	forbidden := map[string]*regexp.Regexp{
		"an address of another server": regexp.MustCompile(`(?i)(https?:)?//[a-z0-9-]+\.[a-z]|@import`),
		"a style in the page":          regexp.MustCompile(`(?i)<style|\sstyle=|setAttribute\("style"|cssText`),
		"a handler in the page":        regexp.MustCompile(`(?i)<[a-z][^>]*\son[a-z]+=|javascript:`),
		"a script in the page":         regexp.MustCompile(`(?i)<script[^>]*>[^<]`),
		"markup that is made of texts": regexp.MustCompile(`innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function`),
	}
	names := longtest.Must(fs.Glob(assets(), "*"))(t)
	for _, name := range names {
		text := strings.ReplaceAll(textOf(t, name), "http://www.w3.org/", "") // names of languages, which nobody fetches
		for what, pattern := range forbidden {
			if found := pattern.FindString(text); found != "" {
				t.Errorf("%s has %s: %q", name, what, found)
			}
		}
	}
}

// TestModulesFindWhatTheyName holds that every module which is imported is there, and every element of the page that a module asks for by
// its name.
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
