package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"breadboard/cmd/bench"
	"breadboard/python"
)

// writePage writes the folder of the bench that needs no server of its own.
func writePage(out string) error {
	files, err := pageFiles()
	if err != nil {
		return err
	}
	size := 0
	for _, f := range files {
		if err := writeAt(filepath.Join(out, f.path), f.content); err != nil {
			return err
		}
		size += len(f.content)
	}
	fmt.Printf("%s: %d files, %.1f MB\n", out, len(files), float64(size)/1e6)
	return nil
}

// pageFiles returns the files of that folder, in the order of their paths.
func pageFiles() (files []file, err error) {
	program, err := packedProgram()
	if err != nil {
		return nil, err
	}
	root, err := output("go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	glue, err := os.ReadFile(filepath.Join(root, "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return nil, err
	}
	content, err := bench.Files(python.Version(), true)
	if err != nil {
		return nil, err
	}
	content["THIRD_PARTY"], err = os.ReadFile(thirdParty)
	if err != nil {
		return nil, err
	}
	content["assets/bench.wasm.gz"], content["assets/wasm_exec.js"] = program, glue
	for path, text := range content {
		files = append(files, file{path, text, 0o644})
	}
	slices.SortFunc(files, func(f, g file) int { return strings.Compare(f.path, g.path) })
	return files, nil
}

// maxProgram is the largest size of the packed program, in bytes: a browser loads it before the
// page answers. It is under seven million without net/http, and without packages that find methods
// by name at run time: if it calls one of these, the linker keeps all methods.
const maxProgram = 7_500_000

// packedProgram builds the program of the page. It fails if that is too large.
func packedProgram() ([]byte, error) {
	// below the module, so that the program does not depend on the place of the clone, where
	// nothing looks for code
	work := "dist/testdata/page-build"
	if err := os.RemoveAll(work); err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)
	if err := writeOneFont(work); err != nil {
		return nil, err
	}
	built := filepath.Join(work, "bench.wasm")
	if err := build("js", "wasm", built, "./cmd/benchwasm", "-buildvcs=false",
		"-modfile="+filepath.Join(work, "page.mod")); err != nil {
		return nil, err
	}
	content, err := os.ReadFile(built)
	if err != nil {
		return nil, err
	}
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	_, err = w.Write(content)
	err = errors.Join(err, w.Close())
	if size := packed.Len(); err == nil && size > maxProgram {
		return nil, fmt.Errorf("the packed program of the page has %d bytes, and may have %d: "+
			"go list -deps ./cmd/benchwasm says what it contains", size, maxProgram)
	}
	return packed.Bytes(), err
}

// fonts is the module of the typefaces that gonum.org/v1/plot contains, and drawn the one of them
// in figures. The others would be a quarter of what a browser loads.
const (
	fonts = "codeberg.org/go-fonts/liberation"
	drawn = "liberationsansregular"
)

// writeOneFont writes to a folder the file page.mod, with which a build has that typeface instead
// of all others.
func writeOneFont(folder string) error {
	names, err := output("go", "list", "-f", "{{.Name}}", fonts+"/...")
	if err != nil {
		return err
	}
	dir, err := output("go", "list", "-f", "{{.Dir}}", fonts+"/"+drawn)
	if err != nil {
		return err
	}
	to := filepath.Join(folder, "fonts")
	if err := os.CopyFS(filepath.Join(to, drawn), os.DirFS(dir)); err != nil {
		return err
	}
	files := map[string]string{filepath.Join(to, "go.mod"): "module " + fonts + "\n"}
	for name := range strings.FieldsSeq(names) {
		if name != drawn && name != "main" { // which makes the others
			files[filepath.Join(to, name, "font.go")] = fmt.Sprintf("package %s\n\nimport %q\n\nvar TTF = %s.TTF\n",
				name, fonts+"/"+drawn, drawn)
		}
	}
	for of, replaced := range map[string]string{
		"go.mod": fmt.Sprintf("\nreplace %s => ./%s\n", fonts, filepath.ToSlash(to)), "go.sum": ""} {
		text, err := os.ReadFile(of)
		if err != nil {
			return err
		}
		files[filepath.Join(folder, "page"+filepath.Ext(of))] = string(text) + replaced
	}
	for path, text := range files {
		if err := writeAt(path, []byte(text)); err != nil {
			return err
		}
	}
	return nil
}

// writeAt writes a file, and makes its folder first.
func writeAt(path string, content []byte) error {
	return errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, content, 0o666))
}
