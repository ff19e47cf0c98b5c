package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"breadboard/grid/longtest"
)

// TestArchives: both kinds of archives have the files in one folder, programs as programs, with the
// time that was given, and nothing else decides their bytes.
func TestArchives(t *testing.T) {
	files := []file{{"breadboard", []byte("a program"), 0o755},
		{"man/man1/breadboard.1", bytes.Repeat([]byte("page "), 1000), 0o644}}
	at := time.Unix(1_800_000_000, 0).UTC()
	const want = "folder/breadboard -rwxr-xr-x 9 1800000000; folder/man/man1/breadboard.1 -rw-r--r-- 5000 1800000000; "
	for name, c := range map[string]struct {
		pack func(string, []file, time.Time) ([]byte, error)
		list func(data []byte) (string, error)
	}{"tar": {tarred, inTar}, "zip": {zipped, inZip}} {
		data := longtest.Must(c.pack("folder/", files, at))(t)
		if got, err := c.list(data); err != nil || got != want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
		if again, err := c.pack("folder/", files, at); err != nil || !bytes.Equal(again, data) {
			t.Errorf("%s: other bytes the second time, %v", name, err)
		}
	}
}

func inTar(data []byte) (list string, err error) {
	plain, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return "", err
	}
	for archive := tar.NewReader(plain); ; {
		h, err := archive.Next()
		if err == io.EOF {
			return list, nil
		}
		if err != nil {
			return "", err
		}
		list += fmt.Sprintf("%s %v %d %d; ", h.Name, h.FileInfo().Mode(), h.Size, h.ModTime.Unix())
	}
}

func inZip(data []byte) (list string, err error) {
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return "", err
	}
	for _, f := range archive.File {
		list += fmt.Sprintf("%s %v %d %d; ", f.Name, f.Mode(), f.UncompressedSize64, f.Modified.Unix())
	}
	return list, nil
}

// TestUnlinked: the README of an archive has no link that leads nowhere there.
func TestUnlinked(t *testing.T) {
	t.Chdir("../..")
	text := removeLinks(string(longtest.Must(os.ReadFile("README.md"))(t)))
	for _, m := range link.FindAllStringSubmatch(text, -1) {
		if m[2] != "CHANGELOG.md" && m[2] != "CITATION.cff" && !strings.HasPrefix(m[2], "http") {
			t.Errorf("the link %s", m[0])
		}
	}
	if !strings.Contains(text, "(`breadboard help ci`)") {
		t.Errorf("no pages of help in\n%s", text)
	}
}
