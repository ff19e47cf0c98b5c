package toys_test

import (
	"strings"
	"testing"

	"breadboard/grid/longtest"
	"breadboard/toys/forms"
)

func TestNames(t *testing.T) {
	path := longtest.File(t, "a=b.csv", "0,1\n2,-inf\n")
	for _, c := range []struct{ text, name, target, selector string }{
		{"ring=file:" + path, "ring", "file:" + path, "ring=file:" + path},
		{"file:" + path, "file:" + path, "file:" + path, "file:" + path},
		{"a-1_B.2=random:2.0:07", "a-1_B.2", "random:2:7", "a-1_B.2=random:2:7"},
		{"easy-1=easy", "easy-1", "easy", "easy-1=easy"},
		{"Größe_大=easy", "Größe_大", "easy", "Größe_大=easy"},
		{"m=mixture:1*easy+2*barrier", "m", "mixture:1*easy+2*barrier", "m=mixture:1*easy+2*barrier"},
	} {
		toy := longtest.Must(forms.Targets().Parse(c.text))(t)
		if toy.Name != c.name || toy.Target() != c.target || toy.Selector() != c.selector {
			t.Errorf("%s: %q, %q, %q", c.text, toy.Name, toy.Target(), toy.Selector())
		}
		again, err := forms.Targets().Parse(toy.Selector())
		if err != nil || again.Name != toy.Name || !again.SameTarget(toy) {
			t.Errorf("%s: %v, %v", c.text, again, err)
		}
		if files := forms.Targets().FilesOf(c.text); (len(files) == 1) != strings.Contains(c.text, "file:") {
			t.Errorf("%s: files %q", c.text, files)
		}
	}
	for text, want := range map[string]string{
		"hard=easy": "hard is a form of toy already", "file=file:" + path: "file is a form of toy already",
		"ring=nothing":            `unknown toy "nothing"`,
		"mixture:1*a=easy+2*hard": "is a part of another and has a name",
	} {
		longtest.Refuses(forms.Targets().Parse(text))(t, want)
	}
}
