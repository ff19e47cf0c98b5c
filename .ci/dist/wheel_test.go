package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"breadboard/grid/longtest"
	"breadboard/python"
)

// TestWheel: a wheel has the module, the program as a program, and a record with the hash of each
// of its files; making it again gives the same bytes.
func TestWheel(t *testing.T) {
	t.Chdir("../..")
	version := python.Version()
	module, err := readModule("python")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range platforms() {
		data := longtest.Must(wheel(p, version, module, []byte("a program")))(t)
		if again, err := wheel(p, version, module, []byte("a program")); err != nil ||
			!bytes.Equal(data, again) {
			t.Errorf("%v: another wheel the second time, %v", p, err)
		}
		z := longtest.Must(zip.NewReader(bytes.NewReader(data), int64(len(data))))(t)
		want := ""
		record := ""
		programs := 0
		for _, f := range z.File {
			r := longtest.Must(f.Open())(t)
			content := longtest.Must(io.ReadAll(r))(t)
			if f.Modified.Year() != 1980 {
				t.Errorf("%v: %s is of %v", p, f.Name, f.Modified)
			}
			if strings.HasSuffix(f.Name, ".dist-info/RECORD") {
				record = string(content)
				want = want + f.Name + ",,\n"
				continue
			}
			hash := sha256.Sum256(content)
			want += fmt.Sprintf("%s,sha256=%s,%d\n",
				f.Name, base64.RawURLEncoding.EncodeToString(hash[:]), len(content))
			if f.Mode()&0o111 != 0 {
				programs++
			}
		}
		if record != want || programs != 1 || !strings.Contains(record, "\nbreadboard/__init__.py,") &&
			!strings.HasPrefix(record, "breadboard/__init__.py,") {
			t.Errorf("%v: %d programs, and the record\n%s\nwant\n%s", p, programs, record, want)
		}
	}
}

// TestMetadata: what an index says of the package has what pyproject.toml says, and the page of
// Python behind an empty line.
func TestMetadata(t *testing.T) {
	t.Chdir("../..")
	text := string(longtest.Must(longtest.Must(readProject())(t).metadata("1.2.3", "Requires-External: Go"))(t))
	head, page, _ := strings.Cut(text, "\n\n")
	for _, want := range []string{"Name: breadboard-exact", "Version: 1.2.3", "License-Expression: MIT",
		"License-File: LICENSE", "Author: The breadboard authors",
		"Requires-Python: >=3.10", "Classifier: Typing :: Typed", "Requires-External: Go"} {
		if !slices.Contains(strings.Split(head, "\n"), want) {
			t.Errorf("no %q in\n%s", want, head)
		}
	}
	if !strings.HasPrefix(page, "# breadboard in Python\n") ||
		longtest.Must(readProject())(t).EntryPoints.Pytest11.Breadboard != "breadboard_pytest" {
		t.Errorf("the page begins %.40q", page)
	}
}

// TestSource: the package of the source has what is built and what the program embeds, and no
// tests.
func TestSource(t *testing.T) {
	t.Chdir("../..")
	for name := range strings.SplitSeq(longtest.Must(output("go",
		"list", "-f", "{{range .EmbedFiles}}{{$.ImportPath}}/{{.}}\n{{end}}", "./..."))(t), "\n") {
		name = strings.TrimPrefix(name, "breadboard/")
		if name != "" && !ofSource(name) {
			t.Errorf("the program embeds %s, which is not in the source", name)
		}
	}
	for name, want := range map[string]bool{
		"go.mod": true, "pyproject.toml": true, ".ci/dist/main.go": true,
		"cmd/breadboard/topics/python.md": true, "cmd/bench/assets/bench.css": true,
		"exact/exact_test.go": false, "exact/testdata/reference.json": false,
		"reports/images/bench.png": false, "python/notebooks/paper.ipynb": false,
	} {
		if ofSource(name) != want {
			t.Errorf("%s: want %v", name, want)
		}
	}
}

// TestForR: the package for R has the functions, their help and the page, and the version of the
// program.
func TestForR(t *testing.T) {
	t.Chdir("../..")
	files := longtest.Must(rPackageFiles([]string{"r/DESCRIPTION", "r/R/law.R"}))(t)
	if len(files) != 3 || files[1].path != "R/law.R" || files[2].path != "inst/doc/breadboard.md" {
		t.Errorf("the files %v", files)
	}
}
