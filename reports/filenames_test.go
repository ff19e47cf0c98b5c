package reports

import (
	"context"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"breadboard/grid/longtest"
	"breadboard/reports/table"
)

// TestFileNames: a name has the study, its parameters and the part, and says no word twice.
func TestFileNames(t *testing.T) {
	toyAndT := Slug([]Parameter{{"toy", []string{"barrier"}}, {"T", []string{"50"}}})
	for _, c := range []struct {
		names      FileNames
		part, want string
	}{
		{FileNames{}, "figure3", "figure3"},
		{FileNames{Study: "tightness", Parameters: ""}, "", "tightness"},
		{FileNames{Study: "tightness", Parameters: ""}, "tightness", "tightness"},
		{FileNames{Study: "tightness", Parameters: toyAndT}, "figure3", "tightness_toy-barrier_T-50_figure3"},
		{FileNames{Study: "schedule_compare", Parameters: ""}, "schedule_betas", "schedule_compare_betas"},
		{FileNames{Study: "kernel_check", Parameters: "heatbath"}, "defect_easy", "kernel_check_heatbath_defect_easy"},
		{FileNames{Study: "gap", Parameters: ""}, "gap_gap_T10", "gap_gap_T10"},
		{FileNames{Study: "toys_show", Parameters: "a"}, strings.Repeat("b", 101), "toys_show_a_" + strings.Repeat("b", 91) + "-" + "47d26c90"},
	} {
		if got := c.names.Of(c.part); got != c.want {
			t.Errorf("%+v, %q: %q, want %q", c.names, c.part, got, c.want)
		}
	}
}

// TestSlug: what was asked, readably and in characters that any file may have.
func TestSlug(t *testing.T) {
	for _, c := range []struct {
		parameters []Parameter
		want       string
	}{
		{nil, ""},
		{[]Parameter{{"toy", []string{"easy", "random:2:7:5x5"}}, {"check", []string{"true"}}}, "toy-easy-random-2-7-5x5_check"},
		{[]Parameter{{"", []string{"lazy:0.5:barker"}}, {"beta", []string{"0.5", "1"}}, {"check", []string{"false"}}}, "lazy-0.5-barker_beta-0.5-1_check-false"},
		{[]Parameter{{"toy", []string{"file:../data/t.csv"}}}, "toy-file-..-data-t.csv"},
		{[]Parameter{{"", []string{"../.x"}}, {"", []string{"/"}}}, "x"},
		{[]Parameter{{"toy", []string{"mixture:0.5*easy+0.5*hard"}}}, "toy-mixture-0.5-easy-0.5-hard"},
	} {
		if got := Slug(c.parameters); got != c.want {
			t.Errorf("%v: %q, want %q", c.parameters, got, c.want)
		}
	}
}

// TestLongSlugs: a name is never too long for a file, and long ones that differ anywhere have different names.
func TestLongSlugs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringN(0, 300, 2000)
		a, b := []Parameter{{"toy", []string{text.Draw(t, "a")}}}, []Parameter{{"toy", []string{text.Draw(t, "b")}}}
		for _, s := range []string{Slug(a), Slug(b)} {
			name := FileNames{Study: "samplers_diagnose", Parameters: s}.Of(FileName(text.Draw(t, "part")))
			if len(s) > maxSlug || FileName(name) != name || len(name) > 200 {
				t.Fatalf("slug %q, name %q", s, name)
			}
		}
	})
	long := strings.Repeat("x", 200)
	one, other := Slug([]Parameter{{"toy", []string{long + "+"}}}), Slug([]Parameter{{"toy", []string{long + "*"}}})
	if one == other || len(one) != maxSlug || len(other) != maxSlug {
		t.Errorf("%q and %q", one, other)
	}
	if a, b := FileName(long+":1"), FileName(long+":2"); a == b || len(a) != maxPart || len(b) != maxPart {
		t.Errorf("the toys %q and %q", a, b)
	}
}

// TestNamesOfParts: the first table among the results has the study's name, and the others and the figures have their own behind it.
func TestNamesOfParts(t *testing.T) {
	dir := t.TempDir()
	files := longtest.Must(OpenDirectory(dir))(t)
	var results, messages strings.Builder
	out := Output{Results: &results, Messages: &messages, Format: table.Markdown, Files: files, Names: FileNames{Study: "kernel_check", Parameters: "barker"}}
	longtest.NoError(t, out.Write(context.Background(), mixed()))
	want := "data.bin kernel_check_barker.csv kernel_check_barker.json kernel_check_barker.md " +
		"kernel_check_barker_drawn.pdf kernel_check_barker_drawn.png kernel_check_barker_drawn.svg kernel_check_barker_drawn_data.csv " +
		"kernel_check_barker_second.csv kernel_check_barker_second.json kernel_check_barker_second.md " +
		"kernel_check_barker_third.csv kernel_check_barker_third.json kernel_check_barker_third.md"
	if names, err := files.names(); strings.Join(names, " ") != want || err != nil {
		t.Errorf("%s, want %s, %v", names, want, err)
	}
}
