package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"breadboard/grid/longtest"
)

// TestFind: tests that do nothing without -long or a whole list with it, that skip, or that reach
// something that does are found, also across packages, and no others.
func TestFind(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a/a_test.go": `package a_test
import ("testing"; "x/grid/longtest"; "x/helptest")
var cases = table()
func table() int { return longtest.Times(1, 2) }
func TestTimes(t *testing.T) { longtest.Must(1, nil)(t); use(cases) }
func TestList(t *testing.T) { use(all()) }
func all() int { if longtest.Everything() { return 2 }; return 1 }
func TestHelped(t *testing.T) { helptest.Python(t) }
func TestPlain(t *testing.T) { longtest.NotShort(t); longtest.Must(1, nil)(t) }
func TestOnly(t *testing.T) { t.Run("x", func(t *testing.T) { longtest.Only(t) }) }`,
		"helptest/help.go": `package helptest
import "testing"
func Python(t *testing.T) { t.Skip() }`,
		"grid/longtest/longtest.go": `package longtest
import "testing"
func NotShort(t testing.TB) { t.Skip() }`,
		"b/b.go": `package b
func TestNothing() { longtest.Only() }`,
	} {
		path := filepath.Join(dir, name)
		longtest.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		longtest.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	}
	var got []string
	for _, found := range longtest.Must(find(dir))(t) {
		got = append(got, filepath.Base(found.folder)+"."+found.name)
	}
	slices.Sort(got)
	if want := []string{"a.TestHelped", "a.TestList", "a.TestOnly"}; !slices.Equal(got, want) {
		t.Errorf("it finds %q, want %q", got, want)
	}
}
