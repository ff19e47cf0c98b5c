package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// The folder of images, and the file in it that records what those of commands were made from.
const (
	images       = "../../reports/images"
	imagesRecord = images + "/commands.txt"
)

// image is a figure that documents show: a command draws it with --out.
type image struct {
	name    string // of the file
	command string
	ending  string // of the name that the command gives the figure, without .png
	golden  string // of cmd/catalogue/testdata: it changes if the looks of such figures change
}

// imagesOfCommands returns all images but those of pages, which a browser takes.
func imagesOfCommands() []image {
	const asia = "tightness --toy asia=bif:asia.bif:evidence=xray=yes+dysp=yes --kernel heatbath-scan -T " +
		"10,20,50,100,200,500,1000,2000,5000"
	const compare = "schedule compare -T 10,30,100,300,1000 --schedule " +
		"linear,sigmoid,power:2,geometric,fisher,friction,acceptance"
	return []image{
		{"bounds.png", "tightness", "_bounds", "bounds"},
		{"distributions.png", "tightness", "_distributions", "distributions"},
		{"schedule_convergence.png", compare, "_convergence", "schedule_convergence"},
		{"law.png", "weights --toy easy -T 100", "_law_easy_T100", "law_barrier_T100"},
		{"gap.png", "gap --toy barrier -T 100", "_barrier_T100", "gap_barrier_T30"},
		{"reach.png", asia, "_bounds", "bounds"},
		{"conform.png", "conform run task -- python3 my_ais.py --task task --serve", "_odds",
			"conform_odds_wrong"},
	}
}

// madeFrom returns the hash of the command and of the golden file.
func (i image) madeFrom(t *testing.T) string {
	t.Helper()
	golden := longtest.Must(os.ReadFile(filepath.Join("../catalogue/testdata", i.golden+".figure")))(t)
	return shortHash(i.command + "\n" + i.ending + "\n" + string(golden))
}

// shortHash returns 16 digits of the SHA-256 of a text, enough to notice a change.
func shortHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// draw runs the command in an empty folder with the files that it needs, and returns the figure.
func (i image) draw(t *testing.T) []byte {
	t.Helper()
	asia := longtest.Must(os.ReadFile("../../toys/networks/testdata/asia.bif"))(t)
	program := myAIS(t, true)
	t.Chdir(t.TempDir())
	writeFile(t, "asia.bif", string(asia))
	writeFile(t, "my_ais.py", program)
	if strings.HasPrefix(i.command, "conform run") {
		ok(t, "conform", "spec", "--powerful", "--out", "task")
	}
	args := strings.Fields(i.command)
	at := slices.Index(append(args, "--"), "--") // the flags of the command stand before its program
	args = slices.Insert(args, at, "--figures", "png", "--out", "drawn")
	if code, _, stderr := command(t, args...); code != exitDone && code != exitFault {
		t.Fatalf("breadboard %s: exit code %d\n%s", i.command, code, stderr)
	}
	found := longtest.Must(filepath.Glob("drawn/*" + i.ending + ".png"))(t)
	if len(found) != 1 {
		t.Fatalf("breadboard %s has the figures %q", i.command, found)
	}
	return longtest.Must(os.ReadFile(found[0]))(t)
}

// recorded reads a file with the name of an image and a hash on each line.
func recorded(t *testing.T, path string) map[string]string {
	t.Helper()
	made := map[string]string{}
	for line := range strings.Lines(string(longtest.Must(os.ReadFile(path))(t))) {
		if name, hash, is := strings.Cut(strings.TrimSpace(line), " "); is {
			made[name] = hash
		}
	}
	return made
}

// TestImages fails if an image is older than what it was made from: the command, and the looks of
// its figure. With -update it draws these images anew. Every image must be known here or in the
// tests of pages, and a document must show it.
func TestImages(t *testing.T) {
	// TestScreenshots checks those of pages
	made := recorded(t, imagesRecord)
	pages := recorded(t, images+"/pages.txt")
	for _, i := range imagesOfCommands() {
		if now := i.madeFrom(t); made[i.name] != now && !*update {
			t.Errorf("%s is stale: .ci/images draws it anew", i.name)
		} else if made[i.name] != now {
			path := longtest.Must(filepath.Abs(filepath.Join(images, i.name)))(t)
			t.Run(i.name, func(t *testing.T) { longtest.NoError(t, os.WriteFile(path, i.draw(t), 0o644)) })
			made[i.name] = now
		}
	}
	if *update {
		var text strings.Builder
		for _, i := range imagesOfCommands() {
			fmt.Fprintln(&text, i.name, made[i.name])
		}
		writeFile(t, imagesRecord, text.String())
	}
	var shown strings.Builder
	for _, doc := range documents(t) {
		if strings.HasSuffix(doc, ".md") {
			shown.Write(longtest.Must(os.ReadFile(doc))(t))
		}
	}
	for _, path := range longtest.Must(filepath.Glob(images + "/*.png"))(t) {
		name := filepath.Base(path)
		if !strings.Contains(shown.String(), "reports/images/"+name) {
			t.Errorf("no document shows %s", name)
		}
		if made[name]+pages[name] == "" {
			t.Errorf("nothing makes %s", name)
		}
	}
}

// TestNotebooksRan fails if the code of a notebook with pictures has changed since it was run:
// run.py records a hash of the code.
func TestNotebooksRan(t *testing.T) {
	pictures := 0
	for _, path := range longtest.Must(filepath.Glob("../../python/notebooks/*.ipynb"))(t) {
		var book struct {
			Cells []struct {
				Type   string          `json:"cell_type"`
				Source json.RawMessage `json:"source"`
			}
			Metadata struct {
				Ran string `json:"breadboard_ran"`
			}
		}
		text := longtest.Must(os.ReadFile(path))(t)
		longtest.NoError(t, json.Unmarshal(text, &book))
		code := ""
		for _, cell := range book.Cells {
			if cell.Type == "code" {
				code += sourceOf(t, cell.Source) + "\n"
			}
		}
		if now := shortHash(code); book.Metadata.Ran != now {
			t.Errorf("%s: the code has changed since it was run (%s, and not %s): .ci/images runs it",
				filepath.Base(path), now, book.Metadata.Ran)
		}
		pictures += len(regexp.MustCompile(`"image/png"`).FindAll(text, -1))
	}
	if pictures == 0 {
		t.Error("no notebook has a picture")
	}
}

// sourceOf returns the text of a cell, which a notebook has as a string or as a list of lines.
func sourceOf(t *testing.T, source json.RawMessage) string {
	t.Helper()
	var lines []string
	if json.Unmarshal(source, &lines) == nil {
		return strings.Join(lines, "")
	}
	var text string
	longtest.NoError(t, json.Unmarshal(source, &text))
	return text
}
