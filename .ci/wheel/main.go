// Command wheel writes packages for pip: a wheel with the program and the module in python/breadboard for each platform, and
// the source, from which pip makes such a wheel where there is Go.
//
//	go run ./.ci/wheel                  this platform, to the folder dist
//	go run ./.ci/wheel -all             all platforms
//	go run ./.ci/wheel -sdist           the source
//	go run ./.ci/wheel -program FILE    this platform, with a program that has been built
//
// The same commit gives the same bytes, whatever the time, the folder and the machine. The distribution is called
// breadboard-exact, since breadboard is another project on the Python index; the module is called breadboard.
package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"
)

// distribution is the name of the package on an index, as it stands in the names of files.
const distribution = "breadboard_exact"

// platform is a system for which there is a wheel.
type platform struct{ system, processor, tag string }

// platforms lists them. The program is linked to no C library, so that one wheel serves those of glibc and of musl, and Go says
// which macOS it needs.
func platforms() []platform {
	return []platform{
		{"linux", "amd64", "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64"},
		{"linux", "arm64", "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64"},
		{"darwin", "amd64", "macosx_12_0_x86_64"},
		{"darwin", "arm64", "macosx_12_0_arm64"},
		{"windows", "amd64", "win_amd64"},
	}
}

// file is a file of a package, by its path there.
type file struct {
	path    string
	content []byte
	runs    bool // whether it is a program
}

func main() {
	out := flag.String("out", "dist", "the `folder` for the packages")
	all := flag.Bool("all", false, "make the wheels of all platforms, and not only that of this one")
	source := flag.Bool("sdist", false, "make the package of the source, and no wheel")
	program := flag.String("program", "", "the `file` of the program for this platform, where it has been built already")
	flag.Parse()
	if err := run(*out, *all, *source, *program); err != nil {
		fmt.Fprintln(os.Stderr, "wheel:", err)
		os.Exit(1)
	}
}

// run writes packages to a folder. It must be called at the root of the project.
func run(out string, all, source bool, program string) error {
	module, version, err := readModule("python/breadboard")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o777); err != nil {
		return err
	}
	if source {
		data, err := sdist(version)
		if err != nil {
			return err
		}
		return write(filepath.Join(out, distribution+"-"+version+".tar.gz"), data)
	}
	wanted := platforms()
	if !all {
		wanted = slices.DeleteFunc(wanted, func(p platform) bool { return p.system != runtime.GOOS || p.processor != runtime.GOARCH })
	}
	if len(wanted) == 0 {
		return fmt.Errorf("there is no wheel for %s/%s; -all makes those of %v", runtime.GOOS, runtime.GOARCH, platforms())
	}
	for _, p := range wanted {
		built := program
		if built == "" || p.system != runtime.GOOS || p.processor != runtime.GOARCH {
			built = filepath.Join(out, "program")
			defer os.Remove(built)
			if err := build(p, version, built); err != nil {
				return err
			}
		}
		content, err := os.ReadFile(built)
		if err != nil {
			return err
		}
		name := fmt.Sprintf("%s-%s-py3-none-%s.whl", distribution, version, p.tag)
		data, err := wheel(p, version, module, content)
		if err == nil {
			err = write(filepath.Join(out, name), data)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// write writes a package and says so.
func write(name string, data []byte) error {
	fmt.Printf("%s: %.1f MB, SHA-256 %x\n", name, float64(len(data))/1e6, sha256.Sum256(data))
	return os.WriteFile(name, data, 0o666)
}

// readModule returns the files of the module in a folder, and its version.
func readModule(folder string) (files []file, version string, err error) {
	names, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil {
		return nil, "", err
	}
	for _, name := range names {
		if info, err := os.Stat(name); err != nil || info.IsDir() {
			continue
		}
		content, err := os.ReadFile(name)
		if err != nil {
			return nil, "", err
		}
		if found := regexp.MustCompile(`(?m)^__version__ = "(.+)"$`).FindSubmatch(content); found != nil {
			version = string(found[1])
		}
		files = append(files, file{path: "breadboard/" + filepath.Base(name), content: content})
	}
	if version == "" {
		return nil, "", fmt.Errorf("no file in %s has __version__; run this at the root of the project", folder)
	}
	return files, version, nil
}

// build builds the program for a platform. It is what a plain go build makes, without what only debuggers and HTTP/2 need.
func build(p platform, version, to string) error {
	c := exec.Command("go", "build", "-trimpath", "-tags", "nethttpomithttp2", "-ldflags", "-s -w -X main.release="+version, "-o", to, "./cmd/breadboard")
	c.Env = append(os.Environ(), "GOOS="+p.system, "GOARCH="+p.processor, "CGO_ENABLED=0", "GOFLAGS=")
	c.Stdout, c.Stderr = os.Stdout, os.Stderr
	return c.Run()
}

// wheel returns a wheel (PEP 427): a zip file whose RECORD has the hash of every file.
func wheel(p platform, version string, module []file, program []byte) ([]byte, error) {
	named := distribution + "-" + version
	info := named + ".dist-info/"
	description, err := metadata(version)
	if err != nil {
		return nil, err
	}
	license, err := os.ReadFile("LICENSE")
	if err != nil {
		return nil, err
	}
	tags := ""
	for tag := range strings.SplitSeq(p.tag, ".") {
		tags += "Tag: py3-none-" + tag + "\n"
	}
	executable := "breadboard"
	if p.system == "windows" {
		executable += ".exe"
	}
	files := append(slices.Clone(module),
		file{path: named + ".data/scripts/" + executable, content: program, runs: true},
		file{path: info + "licenses/LICENSE", content: license},
		file{path: info + "METADATA", content: description},
		file{path: info + "WHEEL", content: []byte("Wheel-Version: 1.0\nGenerator: breadboard\nRoot-Is-Purelib: false\n" + tags)},
		file{path: info + "entry_points.txt", content: []byte("[pytest11]\nbreadboard = breadboard.plugin\n")},
	)
	var record bytes.Buffer
	for _, f := range files {
		hash := sha256.Sum256(f.content)
		fmt.Fprintf(&record, "%s,sha256=%s,%d\n", f.path, base64.RawURLEncoding.EncodeToString(hash[:]), len(f.content))
	}
	fmt.Fprintf(&record, "%sRECORD,,\n", info)
	return zipped(append(files, file{path: info + "RECORD", content: record.Bytes()}))
}

// metadata returns what an index says of the package, with the page of Python as its description.
func metadata(version string) ([]byte, error) {
	page, err := os.ReadFile("python/README.md")
	head := `Metadata-Version: 2.1
Name: ` + strings.ReplaceAll(distribution, "_", "-") + `
Version: ` + version + `
Summary: Exact answers beside Monte Carlo methods on small discrete spaces
License: MIT
Requires-Python: >=3.9
Description-Content-Type: text/markdown

`
	return append([]byte(head), page...), err
}

// zipped returns a zip file. All files are of the earliest day that such a file can say.
func zipped(files []file) ([]byte, error) {
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestCompression) })
	for _, f := range files {
		h := &zip.FileHeader{Name: f.path, Method: zip.Deflate, Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)}
		h.SetMode(mode(f))
		w, err := z.CreateHeader(h)
		if err == nil {
			_, err = w.Write(f.content)
		}
		if err != nil {
			return nil, err
		}
	}
	err := z.Close()
	return out.Bytes(), err
}

func mode(f file) os.FileMode {
	if f.runs {
		return 0o755
	}
	return 0o644
}

// sdist returns the package of the source: every file that the wheel is made of, under version control, without tests.
func sdist(version string) ([]byte, error) {
	listed, err := exec.Command("git", "ls-files").Output()
	if err != nil {
		return nil, fmt.Errorf("git ls-files: %w", err)
	}
	description, err := metadata(version)
	if err != nil {
		return nil, err
	}
	files := []file{{path: "PKG-INFO", content: description}}
	for name := range strings.Lines(string(listed)) {
		if name = strings.TrimSuffix(name, "\n"); !ofSource(name) {
			continue
		}
		content, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		files = append(files, file{path: name, content: content})
	}
	return tarred(distribution+"-"+version, files)
}

// ofSource reports whether a file of the project is needed to build a wheel.
func ofSource(name string) bool {
	switch {
	case strings.HasSuffix(name, "_test.go"), strings.Contains(name, "/testdata/"), strings.HasPrefix(name, "python/notebooks/"):
		return false
	case path.Ext(name) == ".png":
		return false
	}
	return true
}

// tarred returns a compressed archive of files below a folder.
func tarred(folder string, files []file) ([]byte, error) {
	var out bytes.Buffer
	g, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	t := tar.NewWriter(g)
	for _, f := range files {
		h := &tar.Header{Name: folder + "/" + f.path, Mode: int64(mode(f)), Size: int64(len(f.content)), ModTime: time.Unix(0, 0), Format: tar.FormatPAX}
		if err := t.WriteHeader(h); err != nil {
			return nil, err
		}
		if _, err := t.Write(f.content); err != nil {
			return nil, err
		}
	}
	if err := t.Close(); err != nil {
		return nil, err
	}
	err = g.Close()
	return out.Bytes(), err
}
