package main

import (
	"os"
	"strings"
	"testing"
	"unicode/utf16"

	"breadboard/grid/longtest"
)

// fileDoors are the commands that read a file, FILE, each by another reader.
func fileDoors() map[string]string {
	const target = " --toy prob:pi.csv"
	return map[string]string{
		"matrix":     "kernel check matrix:FILE --beta 1 --format json" + target,
		"file":       "toys export file:FILE",
		"prob":       "toys export prob:FILE",
		"qubo":       "network qubo:FILE --format json",
		"ising-file": "network ising-file:FILE --format json",
		"maxcut":     "network maxcut:FILE --format json",
		"rudy":       "network rudy:FILE:1 --format json",
		"bq":         "network bq:FILE --format json",
		"graph":      "toys show graph:FILE:random:1:0",
		"by label":   "toys show graph:path:3:FILE",
		"hmm":        "network hmm:FILE --format json",
		"bif":        "network bif:FILE --format json",
		"uai":        "network uai:FILE --format json",
		"model":      "toys show model:FILE",
		"diagnose":   "samplers diagnose FILE --format json",
		"draws":      "conform draws FILE --format json" + target,
		"chain":      "conform chain FILE --kernel metropolis --format json" + target,
		"estimates":  "conform estimates FILE --format json" + target,
		"law":        "conform draws drawn.txt --law FILE --format json",
		"ranks":      "conform ranks FILE --format json",
		"map":        "conform draws drawn.txt --map FILE --format json" + target,
		"schedule":   "tightness --schedule points:FILE -T 3 --format json" + target,
	}
}

// fileObject is a file as another program writes it, and a part of what the doors print that read
// it. All others refuse it.
type fileObject struct {
	name, text string
	read       map[string]string
}

// fileObjects are written by hand. The rows of the kernel are those of the states snow, sun and
// rain, and it leaves pi.csv invariant; log 4 is 1.386, and the mean of 1, 2, 4, 3 is 2.5.
func fileObjects() []fileObject {
	const (
		npz    = "PK\x03\x04\x14\x00\x06\x00arr_0.npy"
		right  = `"tolerance": 0.0050000000010000005, "verdict": "pass"`
		edges  = "0,1\n1,2\n2,3\n"
		labels = "snow,0.5,0.25,0.25\nsun,0.2,0.5,0.3\nrain,0.1,0.1,0.8\n"
		open   = `"verdict": "open"`
	)
	two := "a,b\n1,2\n"
	wide := ""
	for _, c := range utf16.Encode([]rune(two)) {
		wide += string([]byte{byte(c), byte(c >> 8)})
	}
	return []fileObject{
		{"heading.csv", "src,dst\n" + edges, map[string]string{"maxcut": `"variable": "x3"`, "graph": "4 states and 3 edges"}},
		{"words.csv", "hello world\nthis is\nnot data\n", nil},
		{"keys.txt", "n 10\nm 20\nseed 3\n", nil},
		{"settings.txt", "alpha = 3\nbeta = 4\nx = 5\n", nil},
		{"a.col", "c x\np edge 4 3\ne 1 2\ne 2 3\ne 3 4\n", nil},
		{"weighted.txt", "0 1 {'weight': 1.0}\n1 2 {'weight': 1.0}\n", nil},
		{"matrix.csv", "2,1,0\n0,3,1\n0,0,4\n", map[string]string{"file": "2,1,0\n0,3,1\n0,0,4\n", "prob": "-inf,-inf,1.386"}},
		{"columns.csv", "snow,sun,rain\n0.2,0.5,0.3\n0.1,0.1,0.8\n0.5,0.25,0.25\n", nil},
		{"rows.csv", labels, nil},
		{"both.csv", ",snow,sun,rain\n" + labels, map[string]string{"matrix": right}},
		{"sep.csv", "sep=,\n,snow,sun,rain\n" + labels, map[string]string{"matrix": right}},
		{"percent.csv", ",sun,rain\nsun,50%,50%\nrain,10%,90%\n", nil},
		{"decimal.csv", "0,5;0,3;0,2\n0,1;0,8;0,1\n0,25;0,25;0,5\n", nil},
		{"moves.csv", "from,to,p\nsun,sun,0.5\nsun,rain,0.5\n",
			map[string]string{"file": "to,lp\nsun,-0.693", "prob": "to,lp\nsun,-0.693"}},
		{"counts.csv", "\"\",\"Var1\",\"Freq\"\n\"1\",\"a\",5\n\"2\",\"b\",7\n", nil},
		{"energy.csv", "s,energy\na,1.5\nb,2.5\n", nil},
		{"series.csv", "0,0.5\n1,0.25\n2,0.125\n", map[string]string{"by label": "0.5"}},
		{"flat.json", "[0,1,-0.5]", nil},
		{"minus.csv", "\u22121,1\n2,3\n", nil},
		{"r.csv", "\"V1\",\"V2\",\"V3\"\n0,1,2\n3,4,5\n", nil},
		{"hash.csv", "#,h,lp\n1,0.5,-1\n2,1.5,-2\n",
			map[string]string{"file": "h,lp\n0.5,-1\n1.5,-2\n", "prob": "h,lp\n0.5,-1\n1.5,-2\n"}},
		{"nonmem.csv", "ITERATION,THETA1\n-20,9\n-10,8\n0,1\n10,2\n20,4\n30,3\n", map[string]string{"diagnose": `"mean": 2.5,`}},
		{"chains.csv", "chain1,chain2\n1.5,2\n2,3\n4,1\n3,5\n", nil},
		{"summary.csv", ",mean,sd,r_hat\nmu,0.1,1,1.0\ntau,1.1,1,1.0\n", nil},
		{"index.csv", "beta[1,2],beta[2,1]\n1,2\n2,3\n4,1\n3,5\n", map[string]string{"diagnose": `"mean": 2.5,`}},
		{"w.csv", "w,mu\n0.25,1\n0.5,2\n0.75,4\n0.5,3\n", map[string]string{"diagnose": `"mean": 2.5,`}},
		{"posteriordb.json", `[{"mu": [1, 2, 4, 3, 5]}, {"mu": [1, 2, 4, 3, 5]}]`, nil},
		{"log.csv", "logZ\n0.1\n-0.1\n0.05\n", map[string]string{"estimates": open}},
		{"law.csv", "sun,0.5\nrain,0.3\nsnow,0.2\n", map[string]string{"law": open}},
		{"pandas.csv", ",probability\nsun,0.5\nrain,0.3\nsnow,0.2\n", map[string]string{"law": open}},
		{"hmm.txt", "2\nACG\nm h\n0.6 0.4\n", nil},
		{"a.pkl", "\x80\x04\x95\x00.", nil},
		{"a.h5", "\x89HDF\r\n\x1a\n\x00", nil},
		{"a.csv.xlsx", "PK\x03\x04\x14\x00\x06\x00[Content_Types].xml", nil},
		{"npz.csv", npz, nil},
		{"npy.csv", "\x93NUMPY\x01\x00v\x00{'descr'", nil},
		{"a.csv.bz2", "BZh91AY&SY\x00\n", nil},
		{"a.csv.xz", "\xfd7zXZ\x00\x01\x02\n", nil},
		{"utf16.csv", "\xff\xfe" + wide, nil},
		{"utf16le.csv", wide, nil},
		{"a.mat", "MATLAB 5.0 MAT-file, Platform\n\x00\x01", nil},
		{"a.RData", "RDX3\nX\n\x00\x00", nil},
		{"a.dat", "CDF\x02\x00\x00\x00\x00", nil},
		{"lfs.csv", "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n", nil},
		{"page.csv", "<!DOCTYPE html>\n<html><body>Not found</body></html>\n", nil},
		{"empty.csv", "", nil},
	}
}

// TestFileDoors: each door reads a file right, or refuses it and says what to do.
func TestFileDoors(t *testing.T) {
	t.Chdir(t.TempDir())
	write := func(name, text string) { longtest.NoError(t, os.WriteFile(name, []byte(text), 0o600)) }
	write("pi.csv", "state,prob\nsun,0.21739130434782608\nrain,0.5797101449275363\nsnow,0.2028985507246377\n")
	write("drawn.txt", "sun\nrain\nsnow\nrain\n")
	for _, o := range fileObjects() {
		write(o.name, o.text)
		for door, line := range fileDoors() {
			code, stdout, stderr := command(t, strings.Fields(strings.ReplaceAll(line, "FILE", o.name))...)
			part, reads := o.read[door]
			switch {
			case reads && !strings.Contains(stdout, part), !reads && code != exitBadInput,
				!reads && !strings.Contains(stderr, "; "):
				t.Errorf("%s at %s: exit code %d\n%.300s\n%s", o.name, door, code, stdout, stderr)
			}
		}
	}
}
