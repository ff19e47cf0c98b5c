package toys

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

func TestNames(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a=b.csv")
	longtest.NoError(t, os.WriteFile(path, []byte("0,1\n2,-inf\n"), 0o644))
	for _, c := range []struct{ text, name, target, selector string }{
		{"ring=file:" + path, "ring", "file:" + path, "ring=file:" + path},
		{"file:" + path, "file:" + path, "file:" + path, "file:" + path},
		{"a-1_B.2=random:2.0:07", "a-1_B.2", "random:2:7", "a-1_B.2=random:2:7"},
		{"easy-1=easy", "easy-1", "easy", "easy-1=easy"},
		{"Größe_大=easy", "Größe_大", "easy", "Größe_大=easy"},
		{"m=mixture:1*easy+2*barrier", "m", "mixture:1*easy+2*barrier", "m=mixture:1*easy+2*barrier"},
	} {
		toy := longtest.Must(Parse(c.text))(t)
		if toy.Name != c.name || toy.Target() != c.target || toy.Selector() != c.selector {
			t.Errorf("%s: %q, %q, %q", c.text, toy.Name, toy.Target(), toy.Selector())
		}
		again, err := Parse(toy.Selector())
		if err != nil || again.Name != toy.Name || !again.SameTarget(toy) {
			t.Errorf("%s: %v, %v", c.text, again, err)
		}
		if files := FilesOf(c.text); (len(files) == 1) != strings.Contains(c.text, "file:") {
			t.Errorf("%s: files %q", c.text, files)
		}
	}
	for text, want := range map[string]string{
		"hard=easy": "hard selects a toy already", "file=file:" + path: "file selects a toy already",
		"ring=": "no target", "=easy": "unknown toy", "a b=easy": "unknown toy", "a\u202eb=easy": "unknown toy", "\xff=easy": "unknown toy", "a/b=easy": "unknown toy",
		"..=easy": "points alone", "-a=easy": "begins with a hyphen",
		"a=b=easy": "two names", "ring=nothing": `unknown toy "nothing"`, strings.Repeat("x", 65) + "=easy": "has 65 characters",
		"mixture:1*a=easy+2*hard": "write the name before mixture:",
	} {
		longtest.Refuses(Parse(text))(t, want)
	}
}

func TestCheckNames(t *testing.T) {
	parse := func(texts ...string) (list []*Toy) {
		for _, text := range texts {
			toy := longtest.Must(Parse(text))(t)
			list = append(list, toy)
		}
		return list
	}
	for _, list := range [][]*Toy{parse("a=easy", "b=easy", "easy"), parse("a=easy", "a=easy", "a=random:2:0"), parse("easy", "easy")} {
		if err := CheckNames(list); err != nil {
			t.Error(err)
		}
	}
	longtest.Refused(t, CheckNames(parse("a=easy", "b=hard", "a=hard")), "the name a stands for two targets, easy and hard; give each its own")
}
