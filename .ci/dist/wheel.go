package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"

	"breadboard/chains/selector"
	"breadboard/python"
)

// distribution is the name of the package on an index, as it stands in the names of files.
const distribution = "breadboard_exact"

// platform is a system for which there is a wheel.
type platform struct{ system, processor, tag string }

// platforms lists them. The program is linked to no C library, so that one wheel serves those of
// glibc and of musl, and Go says which macOS it needs.
func platforms() []platform {
	return []platform{
		{"linux", "amd64", "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64"},
		{"linux", "arm64", "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64"},
		{"darwin", "amd64", "macosx_12_0_x86_64"},
		{"darwin", "arm64", "macosx_12_0_arm64"},
		{"windows", "amd64", "win_amd64"},
	}
}

// wheels writes packages for pip to a folder: the source, or the wheels of all platforms or of this
// one, with the program in a file if it has been built already. It must be called at the root of
// the project.
func wheels(out string, all, source bool, program string) error {
	version := python.Version()
	if err := os.MkdirAll(out, 0o777); err != nil {
		return err
	}
	if source {
		data, err := sdist(version)
		if err != nil {
			return err
		}
		return errors.Join(write(filepath.Join(out, distribution+"-"+version+".tar.gz"), data), writeSums(out))
	}
	wanted := platforms()
	if !all {
		wanted = slices.DeleteFunc(wanted,
			func(p platform) bool { return p.system != runtime.GOOS || p.processor != runtime.GOARCH })
	}
	if len(wanted) == 0 {
		return fmt.Errorf("there is no wheel for %s/%s; -all makes those of %v",
			runtime.GOOS, runtime.GOARCH, platforms())
	}
	if program == "" { // it tells the types, whatever the wheels are for
		program = filepath.Join(out, "program-here")
		defer os.Remove(program)
		if err := build(runtime.GOOS, runtime.GOARCH, program, "./cmd/breadboard"); err != nil {
			return err
		}
	}
	if err := writeTypes(program); err != nil {
		return err
	}
	module, err := readModule("python")
	if err != nil {
		return err
	}
	site, err := pageFiles()
	if err != nil {
		return err
	}
	for _, f := range site { // pip puts it where breadboard serve --export looks for it
		f.path = fmt.Sprintf("%s-%s.data/data/share/breadboard/page/%s", distribution, version, f.path)
		module = append(module, f)
	}
	for _, p := range wanted {
		built := program
		if p.system != runtime.GOOS || p.processor != runtime.GOARCH {
			built = filepath.Join(out, "program")
			defer os.Remove(built)
			if err := build(p.system, p.processor, built, "./cmd/breadboard"); err != nil {
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
	return writeSums(out)
}

// writeSums writes SHA256SUMS, the checksums of all packages in a folder, as sha256sum -c reads
// them.
func writeSums(folder string) error {
	names, err := fs.Glob(os.DirFS(folder), "breadboard*")
	if err != nil {
		return err
	}
	var sums bytes.Buffer
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(data), name)
	}
	return os.WriteFile(filepath.Join(folder, "SHA256SUMS"), sums.Bytes(), 0o666)
}

// write writes a package and says so.
func write(name string, data []byte) error {
	fmt.Printf("%s: %s, SHA-256 %x\n", name, selector.Bytes(int64(len(data))), sha256.Sum256(data))
	return os.WriteFile(name, data, 0o666)
}

// writeTypes has Python write the types of the module from what a program tells of its commands.
func writeTypes(program string) error {
	path, err := filepath.Abs(program)
	if err != nil {
		return err
	}
	c := exec.Command(cmp.Or(os.Getenv("PYTHON"), "python3"), "-B", "stub.py")
	c.Dir = "python"
	c.Env = append(os.Environ(), "BREADBOARD="+path)
	if said, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("python/stub.py: %w\n%s", err, said)
	}
	return nil
}

// readModule returns the files of the module in a folder, and its plugin for pytest.
func readModule(folder string) (files []file, err error) {
	module := os.DirFS(folder)
	add := func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.Contains(path, "__pycache__") {
			return err
		}
		content, err := os.ReadFile(filepath.Join(folder, path))
		files = append(files, file{path, content, 0o644})
		return err
	}
	if err := fs.WalkDir(module, "breadboard", add); err != nil {
		return nil, err
	}
	return files, fs.WalkDir(module, "breadboard_pytest.py", add)
}

// wheel returns a wheel (PEP 427): a zip file whose RECORD has the hash of every file.
func wheel(p platform, version string, module []file, program []byte) ([]byte, error) {
	named := distribution + "-" + version
	info := named + ".dist-info/"
	about, err := readProject()
	if err != nil {
		return nil, err
	}
	description, err := about.metadata(version)
	if err != nil {
		return nil, err
	}
	licence, err := os.ReadFile("LICENSE")
	if err != nil {
		return nil, err
	}
	others, err := os.ReadFile(thirdParty)
	if err != nil {
		return nil, err
	}
	tags := ""
	for tag := range strings.SplitSeq(p.tag, ".") {
		tags += "Tag: py3-none-" + tag + "\n"
	}
	files := append(slices.Clone(module),
		file{named + ".data/scripts/" + executable(p.system), program, 0o755},
		file{info + "licenses/LICENSE", licence, 0o644},
		file{info + "licenses/THIRD_PARTY", others, 0o644},
		file{info + "METADATA", description, 0o644},
		file{info + "WHEEL",
			[]byte("Wheel-Version: 1.0\nGenerator: breadboard\nRoot-Is-Purelib: false\n" + tags), 0o644},
		file{info + "entry_points.txt",
			[]byte("[pytest11]\nbreadboard = " + about.EntryPoints.Pytest11.Breadboard + "\n"), 0o644},
	)
	var record bytes.Buffer
	for _, f := range files {
		hash := sha256.Sum256(f.content)
		fmt.Fprintf(&record, "%s,sha256=%s,%d\n", f.path, base64.RawURLEncoding.EncodeToString(hash[:]),
			len(f.content))
	}
	fmt.Fprintf(&record, "%sRECORD,,\n", info)
	// The time is the earliest that a zip file can say.
	return zipped("", append(files, file{info + "RECORD", record.Bytes(), 0o644}),
		time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC))
}

// project is what pyproject.toml says of the package.
type project struct {
	Name, Description, Readme, License string
	RequiresPython                     string   `toml:"requires-python"`
	LicenseFiles                       []string `toml:"license-files"`
	Authors                            []struct{ Name string }
	Keywords, Classifiers              []string
	EntryPoints                        struct{ Pytest11 struct{ Breadboard string } } `toml:"entry-points"`
}

func readProject() (project, error) {
	var file struct{ Project project }
	text, err := os.ReadFile("pyproject.toml")
	if err == nil {
		err = toml.Unmarshal(text, &file)
	}
	return file.Project, err
}

// metadata returns what an index says of the package (core metadata 2.4), with more fields and with
// the page of Python as its description.
func (p project) metadata(version string, more ...string) ([]byte, error) {
	page, err := os.ReadFile(p.Readme)
	fields := []string{"Metadata-Version: 2.4", "Name: " + p.Name, "Version: " + version,
		"Summary: " + p.Description, "License-Expression: " + p.License,
		"Requires-Python: " + p.RequiresPython, "Keywords: " + strings.Join(p.Keywords, ","),
		"Description-Content-Type: text/markdown"}
	for _, name := range p.LicenseFiles {
		fields = append(fields, "License-File: "+name)
	}
	for _, a := range p.Authors {
		fields = append(fields, "Author: "+a.Name)
	}
	for _, c := range p.Classifiers {
		fields = append(fields, "Classifier: "+c)
	}
	return append([]byte(strings.Join(append(fields, more...), "\n")+"\n\n"), page...), err
}

// sdist returns the package of the source: every file that the wheel is made of, under version
// control, without tests.
func sdist(version string) ([]byte, error) {
	listed, err := output("git", "ls-files")
	if err != nil {
		return nil, err
	}
	p, err := readProject()
	if err != nil {
		return nil, err
	}
	description, err := p.metadata(version, "Requires-External: Go (>=1.26)")
	if err != nil {
		return nil, err
	}
	files := []file{{"PKG-INFO", description, 0o644}}
	for name := range strings.SplitSeq(listed, "\n") {
		if !ofSource(name) {
			continue
		}
		content, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		files = append(files, file{name, content, 0o644})
	}
	return tarred(distribution+"-"+version+"/", files, time.Unix(0, 0))
}

// ofSource reports whether a file of the project is needed to build a wheel.
func ofSource(name string) bool {
	switch {
	case name == "cmd/breadboard/testdata/help.txt": // which the program embeds
		return true
	case strings.HasSuffix(name, "_test.go"), strings.Contains(name, "/testdata/"),
		strings.HasPrefix(name, "python/notebooks/"):
		return false
	case path.Ext(name) == ".png":
		return false
	}
	return true
}
