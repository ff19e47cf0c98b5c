package files

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"breadboard/grid/longtest"
)

// TestChainColumns: the columns of chains and of iterations have the names that other programs give
// them, in tables made of Stan's files too, but not in the files that it writes itself, whose
// models may have such variables.
func TestChainColumns(t *testing.T) {
	for _, c := range []struct{ header, chain, want string }{
		{".chain,.iteration,.draw,a", "", ".chain| a"}, {"chain,iter,a", "", "chain| a"}, {"Chain,Iteration,a", "", "Chain| a"}, {"CHAIN,ITER,a", "", "CHAIN| a"},
		{`"",chain__,iter__,draw__,lp__,a`, "", "chain__| lp__ a"}, {"chain_id,Unnamed: 0,a", "", "chain_id| a"},
		{"chain,draw,warmup,lp__", "", "chain| lp__"},
		{"run,a", "run=chain", "run| a"}, {"chain,a", "chain=variable", "| chain a"}, {"chain,a", "chain=none", "| a"}, {"chains,a", "", "| chains a"},
		{"# stan_version_major = 2\nlp__,chain,iter", "", "| lp__ chain iter"},
	} {
		text := c.header + "\n" + strings.Repeat("1,", strings.Count(c.header, ",")) + "1\n"
		rows := longtest.Must(newRows(context.Background(), "a", &lines{in: strings.NewReader(text)}, func([]string, string) bool { return true }, DrawsOptions{}))(t)
		given := Roles{}
		if c.chain != "" {
			name, role, err := ParseRole(c.chain)
			if given[name] = role; err != nil {
				t.Fatal(err)
			}
		}
		columns := longtest.Must(rows.ColumnsOf(given, func(string) bool { return false }))(t)
		got := "|"
		for i, name := range rows.Names() {
			if i == columns.Chain {
				got = name + got
			}
			if !columns.Counts(i) {
				got += " " + name
			}
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.header, got, c.want)
		}
	}
}

// TestTurns: whole numbers in runs of one length, or in turn, may tell chains apart; other numbers
// do not.
func TestTurns(t *testing.T) {
	for text, want := range map[string]string{
		"1 1 1 1 2 2 2 2 3 3 3 3": "from 1 to 3, each in one run of rows", "0 1 2 0 1 2 0 1 2 0 1 2": "from 0 to 2, each in its turn",
		"0 1 0 1 0 1 0 1": "from 0 to 1, each in its turn",
		"1 1 1 1 2 2 2":   "", "1 1 1 2 2 2": "", "1 1 1 1 1 2 2 2 2": "", "1 2 3 1 2 3 1 2 3 1 2": "", "1 2 3 4 5 6 7 8": "", "2 2 2 2 3 3 3 3": "",
		"1 1 1 1 3 3 3 3": "", "1 1 1 1 2 2 2 2 1 1 1 1": "",
		"1 2 1 2 1 2 1 1": "", "1 1 1 1 1 1 1 1": "", "0 0.5 0 0.5 0 0.5 0 0.5": "", "5": "", "": "",
	} {
		var turns Turns
		for word := range strings.FieldsSeq(text) {
			var v float64
			longtest.Must(fmt.Sscan(word, &v))(t)
			turns.Add(v)
		}
		if doubt, is := turns.Doubt("a", "run"); is != (want != "") || is && doubt.Error() != "a: the column run has the whole numbers "+want+
			"; if it tells chains apart, give column run=chain" {
			t.Errorf("%s: %v", text, doubt)
		}
	}
}

// TestRowNames: rows of R's write.table begin with a name that the header lacks. A column that the
// header has forgotten is refused.
func TestRowNames(t *testing.T) {
	for text, want := range map[string]string{
		"\"a\" \"b\"\n\"1\" 5 6\n\"2\" 7 8\n": "[[[5 7]] [[6 8]]]", "a\tb\r\n3\t5\t6\r\n14\t7\t8\r\n": "[[[5 7]] [[6 8]]]", "a;b\nx;5;6\ny;7;8\n": "",
		"\"a\"\n\"1\" 5\n\"2\" 7\n": "[[[5 7]]]", "\"a\"\n\"1\",5\n\"2\",7\n": "[[[5 7]]]", "\"a\"\n\"1\",\n": "", "a\n1 5\n2 7\n": "",
		"a\n1;5\n2;7\n3;8\n": "[[[5 7 8]]]", "a\n1;5\n2;7\n4;8\n": "", "a\n1,5\n2,7\n3": "",
		"\"a\" \"b\"\n\"y\" 5 6\n\"y\" 7 8\n": "", "a,b\n1,5,6\n1,7,8\n": "", "a,b\n0,5,6\n1,7,8\n": "", "a,b\n1,5,6\n7,8\n": "",
		"a,b\n1,5,6\n2,7,8,9\n": "", "a,b\n5,6\n1,7,8\n": "", "1,2\n3,4,5\n": "",
	} {
		d, err := readDraws(written(t, map[string]string{"a.txt": text}), DrawsOptions{Most: 100}, "a.txt")
		if (err == nil) != (want != "") || err == nil && fmt.Sprint(d.Values) != want {
			t.Errorf("%q: %+v, %v", text, d, err)
		}
	}
}
