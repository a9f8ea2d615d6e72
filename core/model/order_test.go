package model_test

import (
	"slices"
	"strings"
	"testing"

	"rcmdplab/core/model"
)

func TestNamesAreListedByTheirNumbers(t *testing.T) {
	for _, tc := range []struct{ names, want string }{
		{"wear 10,failed,wear 03,wear 4", "wear 03,wear 4,wear 10,failed"},
		{"good,bad,end", "good,bad,end"},
		{"10,2,-1,1e1", "-1,2,10,1e1"},
		{"2 good,end,1 bad,1 average", "1 average,1 bad,2 good,end"},
		{"b,a,x1", "b,a,x1"},
		{"done,c10,start,c2", "c2,c10,done,start"},
	} {
		names := strings.Split(tc.names, ",")
		var got []string
		for _, i := range model.NaturalOrder(names) {
			got = append(got, names[i])
		}
		if s := strings.Join(got, ","); s != tc.want {
			t.Errorf("%s: %s, want %s", tc.names, s, tc.want)
		}
	}
	if !slices.Equal(model.NaturalOrder(nil), []int{}) {
		t.Error("of no names")
	}
}
