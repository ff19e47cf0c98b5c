package main

import (
	"bytes"
	"image/png"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"breadboard/grid/longtest"
)

// TestFigureFlags: figures are written in the formats and at the width that are asked for, an SVG is small, and bad flags exit with 2
// and write nothing.
func TestFigureFlags(t *testing.T) {
	longtest.NotShort(t)
	dir := filepath.Join(t.TempDir(), "out")
	ok(t, "tightness", "-T", "10,100", "--out", dir, "--figures", "png,svg", "--width", "3.25in", "--style", "mono", "--font-size", "7pt")
	for _, ending := range []string{"pdf", "png", "svg"} {
		files, err := filepath.Glob(filepath.Join(dir, "*figure3*."+ending))
		if err != nil || ending == "pdf" && len(files) != 0 || ending != "pdf" && len(files) != 1 {
			t.Fatalf("the files %v", files)
		}
		if ending == "pdf" {
			continue
		}
		data := longtest.Must(os.ReadFile(files[0]))(t)
		switch ending {
		case "png":
			if image, err := png.Decode(bytes.NewReader(data)); err != nil || image.Bounds().Dx() != 650 {
				t.Errorf("3.25 in at 200 dots an inch: %v, %v", image.Bounds(), err)
			}
		case "svg":
			if len(data) > 150_000 || !bytes.Contains(data, []byte(`width="234pt"`)) {
				t.Errorf("an SVG of %d bytes: %.200s", len(data), data)
			}
		}
	}
	for _, c := range []struct{ flag, value, want string }{
		{"--figures", "bmp", `"bmp"; choices: svg, png, pdf`},
		{"--width", "3.25", "in, cm, mm or pt"},
		{"--width", "1cm", "no figure is"},
		{"--font-size", "0pt", "no length"},
		{"--font-size", "2pt", "from 4 pt"},
		{"--style", "poster", "choices: screen, print, mono"},
	} {
		none := filepath.Join(t.TempDir(), "none")
		code, stdout, stderr := command(t, "tightness", "-T", "10", "--out", none, c.flag, c.value)
		if _, err := os.Stat(none); code != exitBadInput || stdout != "" || !strings.Contains(stderr, c.want) || err == nil {
			t.Errorf("%s %s: exit %d, %q", c.flag, c.value, code, stderr)
		}
	}
}

// TestFigureWords: the flags of figures that a command was given say the same of another command, and those that it was not given stay away.
func TestFigureWords(t *testing.T) {
	given, again := &app{}, &app{}
	parsed := func(a *app, words ...string) *cobra.Command {
		c, rest, err := a.rootCommand().Find(append([]string{"reproduce"}, words...))
		if err == nil {
			err = c.ParseFlags(rest)
		}
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	words := figureWords(parsed(given, "--figures", "svg,png", "--width", "8.5cm", "--font-size", "9pt", "--style", "mono", "--claim", "000-1"))
	parsed(again, words...)
	if !reflect.DeepEqual(given.output.figureFlags, again.output.figureFlags) || len(words) != 4 {
		t.Errorf("%v: %+v and %+v", words, given.output.figureFlags, again.output.figureFlags)
	}
	if words := figureWords(parsed(&app{}, "--claim", "000-1")); len(words) > 0 {
		t.Errorf("%v where none was given", words)
	}
}
