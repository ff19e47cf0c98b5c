// Command release writes what a release consists of: an archive for each platform, with the program, its manual pages and
// what shells need to complete its commands, and SHA256SUMS with the hashes of all of them.
//
//	go run ./.ci/release                                 all platforms, to the folder dist
//	go run ./.ci/release -platforms linux/amd64 -out DIR
//
// It is run at the root of a clone in which all is committed. The same commit gives the same bytes with the same version of Go,
// whatever the time, the folder and the machine: files have the time of the commit. The version is that of the tag of the commit, such
// as v0.1.0, or what Go makes of a commit without one.
package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

func main() {
	out := flag.String("out", "dist", "the `folder` for the archives")
	platforms := flag.String("platforms", "linux/amd64,linux/arm64,darwin/amd64,darwin/arm64,windows/amd64", "the systems and processors, separated by commas")
	flag.Parse()
	if err := release(*out, strings.Split(*platforms, ",")); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// release writes the archives of platforms to a folder.
func release(out string, platforms []string) error {
	if changed, err := output("git", "status", "--porcelain"); err != nil || changed != "" {
		return errors.Join(err, fmt.Errorf("some files are not committed, and nobody could make this release again:\n%s", changed))
	}
	seconds, err := output("git", "log", "-1", "--format=%ct")
	if err != nil {
		return err
	}
	committed, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "breadboard-release-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	host, err := build(work, runtime.GOOS, runtime.GOARCH)
	if err != nil {
		return err
	}
	version, err := versionOf(host)
	if err != nil {
		return err
	}
	shared, err := documents(work, host)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o777); err != nil {
		return err
	}
	var sums bytes.Buffer
	for _, platform := range platforms {
		system, processor, _ := strings.Cut(platform, "/")
		program, err := build(work, system, processor)
		if err != nil {
			return err
		}
		content, err := os.ReadFile(program)
		if err != nil {
			return err
		}
		name := fmt.Sprintf("breadboard-%s-%s-%s", version, system, processor)
		pack, ending := tarred, ".tar.gz"
		if system == "windows" {
			pack, ending = zipped, ".zip"
		}
		data, err := pack(name, append([]file{{filepath.Base(program), content, 0o755}}, shared...), time.Unix(committed, 0).UTC())
		if err != nil {
			return err
		}
		line := fmt.Sprintf("%x  %s\n", sha256.Sum256(data), name+ending)
		fmt.Printf("%.1f MB  %s", float64(len(data))/1e6, line)
		sums.WriteString(line)
		if err := os.WriteFile(filepath.Join(out, name+ending), data, 0o666); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(out, "SHA256SUMS"), sums.Bytes(), 0o666)
}

// output returns what a command prints, without the space around it.
func output(command string, words ...string) (string, error) {
	text, err := exec.Command(command, words...).Output()
	if failed, is := errors.AsType[*exec.ExitError](err); is {
		err = fmt.Errorf("%s %s: %w: %s", filepath.Base(command), strings.Join(words, " "), err, bytes.TrimSpace(failed.Stderr))
	}
	return strings.TrimSpace(string(text)), err
}

// build builds the program for a platform, without what only debuggers and HTTP/2 need, and returns its path.
func build(work, system, processor string) (string, error) {
	path := filepath.Join(work, system+"-"+processor, "breadboard")
	if system == "windows" {
		path += ".exe"
	}
	c := exec.Command("go", "build", "-trimpath", "-buildvcs=true", "-tags", "nethttpomithttp2", "-ldflags", "-s -w", "-o", path, "./cmd/breadboard")
	c.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+processor, "CGO_ENABLED=0", "GOFLAGS=", "GOAMD64=v1", "GOARM64=v8.0")
	c.Stderr = os.Stderr
	if err := c.Run(); err != nil {
		return "", fmt.Errorf("building for %s/%s: %w", system, processor, err)
	}
	return path, nil
}

// versionOf returns the version of a program as names of files have it: 0.1.0.
func versionOf(program string) (string, error) {
	text, err := output(program, "version", "--format", "json")
	if err != nil {
		return "", err
	}
	var properties []struct{ Name, Value string }
	if err := json.Unmarshal([]byte(text), &properties); err != nil {
		return "", err
	}
	for _, p := range properties {
		if version, _, _ := strings.Cut(p.Value, " "); p.Name == "breadboard" && strings.HasPrefix(version, "v") {
			return version[1:], nil
		}
	}
	return "", fmt.Errorf("the program has no version: %s", text)
}

// file is a file of an archive, by its path there.
type file struct {
	path    string
	content []byte
	mode    os.FileMode
}

// documents returns the files that are the same on all platforms, in the order of their paths.
func documents(work, program string) ([]file, error) {
	man := filepath.Join(work, "man")
	if _, err := output(program, "man", "--out", man); err != nil {
		return nil, err
	}
	pages, err := filepath.Glob(filepath.Join(man, "*.1"))
	if err != nil {
		return nil, err
	}
	from := map[string]string{}
	for _, page := range pages {
		from["man/man1/"+filepath.Base(page)] = page
	}
	for _, name := range []string{"README.md", "CHANGELOG.md", "CITATION.cff", "LICENSE"} {
		from[name] = name
	}
	var files []file
	for path, source := range from {
		content, err := os.ReadFile(source)
		if err != nil {
			return nil, err
		}
		files = append(files, file{path, content, 0o644})
	}
	for shell, name := range map[string]string{"bash": "bash/breadboard", "zsh": "zsh/_breadboard", "fish": "fish/breadboard.fish", "powershell": "powershell/breadboard.ps1"} {
		script, err := output(program, "completion", shell)
		if err != nil {
			return nil, err
		}
		files = append(files, file{"completions/" + name, []byte(script + "\n"), 0o644})
	}
	slices.SortFunc(files, func(f, g file) int { return strings.Compare(f.path, g.path) })
	return files, nil
}

// tarred returns a compressed archive with files of one time in a folder.
func tarred(folder string, files []file, at time.Time) ([]byte, error) {
	var out bytes.Buffer
	compressed, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	archive := tar.NewWriter(compressed)
	for _, f := range files {
		err := archive.WriteHeader(&tar.Header{Name: folder + "/" + f.path, Mode: int64(f.mode), Size: int64(len(f.content)), ModTime: at, Format: tar.FormatPAX})
		if err == nil {
			_, err = archive.Write(f.content)
		}
		if err != nil {
			return nil, err
		}
	}
	err = errors.Join(archive.Close(), compressed.Close())
	return out.Bytes(), err
}

// zipped does what tarred does, for systems whose users expect a zip file.
func zipped(folder string, files []file, at time.Time) ([]byte, error) {
	var out bytes.Buffer
	archive := zip.NewWriter(&out)
	for _, f := range files {
		head := &zip.FileHeader{Name: folder + "/" + f.path, Method: zip.Deflate, Modified: at}
		head.SetMode(f.mode)
		w, err := archive.CreateHeader(head)
		if err == nil {
			_, err = w.Write(f.content)
		}
		if err != nil {
			return nil, err
		}
	}
	err := archive.Close()
	return out.Bytes(), err
}
