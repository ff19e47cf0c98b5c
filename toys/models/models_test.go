package models_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"breadboard/toys/models"
)

// own is a model in a file.
const own = "pi = [0.5, 0.5]\nA = [[0.9, 0.1], [0.2, 0.8]]\nE = [[0.6, 0.4], [0, 1]]\ny = [0, 1, 1]\n"

// TestHMMFile: the model of a file is read as it stands.
func TestHMMFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "own.toml")
	if err := os.WriteFile(path, []byte(own), 0o644); err != nil {
		t.Fatal(err)
	}
	h, err := models.ReadHMM(path)
	if err != nil || len(h.Pi) != 2 || h.A[1][0] != 0.2 || h.E[0][1] != 0.4 || !slices.Equal(h.Y, []int{0, 1, 1}) {
		t.Fatal(h, err)
	}
	if _, err := models.ReadHMM(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a file that is not there is read")
	}
}

// TestHMMRefused: what is no model is refused in one line that says where and why, and no row is rescaled.
func TestHMMRefused(t *testing.T) {
	for change, want := range map[[2]string]string{
		{"[0.9, 0.1]", "[0.9, 0.2]"}:                          "row 0 of A",
		{"[0.5, 0.5]", "[0.5, 0.4999]"}:                       "pi",
		{"[0, 1, 1]", "[0, 2, 1]"}:                            "observation 1",
		{"[0, 1, 1]", "[0, -1]"}:                              "observation 1",
		{"[0, 1, 1]", "[]"}:                                   "no observation",
		{"[0, 1, 1]", "[0, 1.5]"}:                             "line 4",
		{"y =", "z = 1\ny ="}:                                 "z is not part of a model",
		{"pi = ", "pi = ["}:                                   "line",
		{"[0.9, 0.1], ", ""}:                                  "rows",
		{"[0.6, 0.4]", "[nan, 1]"}:                            "row 0 of E",
		{"[0, 1, 1]", "[" + strings.Repeat("0, ", 21) + "0]"}: "2^20",
	} {
		text := strings.Replace(own, change[0], change[1], 1)
		if _, err := models.ParseHMM([]byte(text)); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q for %q: %v; want %q", change[1], change[0], err, want)
		}
	}
	impossible := "pi = [1]\nA = [[1]]\nE = [[0.5, 0.5, 0]]\ny = [0, 1, 2, 0]\n"
	if _, err := models.ParseHMM([]byte(impossible)); err == nil || !strings.Contains(err.Error(), "log Z = -Inf: the model gives observation 2 (y = 2)") {
		t.Errorf("an impossible sequence: %v", err)
	}
}

// TestFixtures: log Z of the model of the study is that of an independent program, and the points are those of it.
func TestFixtures(t *testing.T) {
	if _, logZ := models.HMM().Forward(); math.Abs(logZ - -11.7428610285806302) > 1e-14 {
		t.Errorf("log Z = %.16g", logZ)
	}
	if err := models.Mixture().Validate(); err != nil {
		t.Error(err)
	}
}

func TestPoints(t *testing.T) {
	points, err := models.ParsePoints([]byte("1, -2.5\r\n\n3e-1\n"))
	if err != nil || !slices.Equal(points, []float64{1, -2.5, 0.3}) {
		t.Error(points, err)
	}
	for text, want := range map[string]string{"": "no point", "1\nNaN\n": "line 2", "1,,2": "line 1", "inf": "no number", "1;2": "no number"} {
		if _, err := models.ParsePoints([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v; want %q", text, err, want)
		}
	}
}

func FuzzParseHMM(f *testing.F) {
	f.Add([]byte(own))
	f.Add([]byte("pi = [1e400]\nA = [[]]"))
	f.Fuzz(func(t *testing.T, data []byte) {
		h, err := models.ParseHMM(data)
		if err != nil {
			return
		}
		if _, logZ := h.Forward(); math.IsInf(logZ, 0) || math.IsNaN(logZ) || h.Validate() != nil {
			t.Fatalf("%q is a model with log Z = %v", data, logZ)
		}
	})
}

func FuzzParsePoints(f *testing.F) {
	f.Add([]byte("1,2\n-3e4\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		points, err := models.ParsePoints(data)
		for _, v := range points {
			if math.IsNaN(v) || math.IsInf(v, 0) || err != nil {
				t.Fatalf("%q is %v, %v", data, points, err)
			}
		}
	})
}

// A model of one's own.
func ExampleParseHMM() {
	h, err := models.ParseHMM([]byte("pi = [1, 0]\nA = [[0.5, 0.5], [0, 1]]\nE = [[0.9, 0.1], [0.2, 0.8]]\ny = [0, 1]\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	_, logZ := h.Forward()
	fmt.Printf("log Z = %.6f\n", logZ)
	// Output:
	// log Z = -0.903868
}
