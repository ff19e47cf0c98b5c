package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// file is a file of an archive, by its path there.
type file struct {
	path    string
	content []byte
	mode    os.FileMode
}

// executable returns what the program is called on a system.
func executable(system string) string {
	if system == "windows" {
		return "breadboard.exe"
	}
	return "breadboard"
}

// build builds a program for a platform, perhaps with more flags. It is what a plain go build
// makes, without what only debuggers and HTTP/2 need.
func build(system, processor, to, program string, flags ...string) error {
	flags = append([]string{"build", "-trimpath", "-buildvcs=auto", "-tags", "nethttpomithttp2", "-ldflags",
		"-s -w", "-o", to}, flags...)
	c := exec.Command("go", append(flags, program)...)
	c.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+processor, "CGO_ENABLED=0", "GOFLAGS=",
		"GOAMD64=v1", "GOARM64=v8.0")
	c.Stdout = os.Stdout
	c.Stderr = os.Stderr
	if err := c.Run(); err != nil {
		return fmt.Errorf("building for %s/%s: %w", system, processor, err)
	}
	return nil
}

// output returns what a command prints, without the space around it.
func output(command string, words ...string) (string, error) {
	text, err := exec.Command(command, words...).Output()
	if failed, is := errors.AsType[*exec.ExitError](err); is {
		err = fmt.Errorf("%s %s: %w: %s", filepath.Base(command), strings.Join(words, " "), err,
			bytes.TrimSpace(failed.Stderr))
	}
	return strings.TrimSpace(string(text)), err
}

// tarred returns a compressed archive with files of one time in a folder, which ends with a slash.
func tarred(folder string, files []file, at time.Time) ([]byte, error) {
	var out bytes.Buffer
	compressed, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	archive := tar.NewWriter(compressed)
	for _, f := range files {
		err := archive.WriteHeader(&tar.Header{
			Name:    folder + f.path,
			Mode:    int64(f.mode),
			Size:    int64(len(f.content)),
			ModTime: at,
			Format:  tar.FormatPAX,
		})
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
	archive.RegisterCompressor(zip.Deflate,
		func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestCompression) })
	for _, f := range files {
		head := &zip.FileHeader{Name: folder + f.path, Method: zip.Deflate, Modified: at}
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
