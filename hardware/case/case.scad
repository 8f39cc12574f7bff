// The case, in parts that fit a printer's bed of 220 mm. All lengths in mm; y towards the rim, z upwards.
//
//   openscad -o sector.stl -D 'part="sector"' case_24.scad
//
// Open case_24.scad or case_30.scad: they hold the numbers for one size of button and include this file.
//
// part   "sector"   one player's side with top and walls; print five
//        "frame"    the same without a top: for a panel cut from wood or acrylic; print five
//        "hub"      the middle: display, knob, sound holes
//        "sector_out" a sector with a way out for the supply's cable; print one in place of a sector
//        "floor"    one fifth of the floor; print four
//        "floor_pi" the same with the holes for a Pi or a Pi Zero; print one
//        "box"      all of it together in one piece; takes minutes
//        "picture"  all of it with buttons, from the STL files in the folder `stl`; only to look at
//        "strip"    one colour's section of the tournament strip; print five
//        "strip_end" the strip's end with the display
//        "holes"    the top's cut at mid-height, flat: the tests compare it with the panel drawing

part = "sector";
stl = "";

top_thick = 3;
wall = 3;
floor_thick = 3;
ledge = 6;
bolt = 3.2;          // M3 through the seams
pilot = 2.6;         // M3 self-cutting into the bosses
slack = 0.25;        // between parts that have to go into each other
height = inside_height + top_thick;
half = 180 / seats;
$fn = 64;

function side_at(apothem) = apothem * tan(half);

// One fifth of the pentagon between two distances from the middle, its rim downwards (towards -y).
module wedge(inner, outer) {
    polygon([
        [-side_at(inner), -inner], [side_at(inner), -inner],
        [side_at(outer), -outer], [-side_at(outer), -outer],
    ]);
}

module rounded_pentagon(apothem, radius) {
    offset(r = radius) circle_pentagon(apothem - radius);
}

module circle_pentagon(apothem) {
    rotate(-90 - half) circle(r = apothem / cos(half), $fn = seats);
}

module sector_outline() {
    intersection() {
        wedge(inner_apothem, outer_apothem + 1);
        rounded_pentagon(outer_apothem, corner);
    }
}

// Every hole of the panel; a sector keeps those that are in it.
module panel_holes() {
    for (hole = table_holes) translate([hole[0], hole[1]]) circle(d = hole[2]);
}

module screw_places() {
    for (hole = table_holes) if (hole[2] == screw_hole) translate([hole[0], hole[1]]) children();
}

module sector_walls() {
    difference() {
        sector_outline();
        intersection() {
            offset(delta = -wall) wedge(inner_apothem - 2 * wall, outer_apothem + 1);
            rounded_pentagon(outer_apothem - wall, corner - wall);
        }
    }
}

function seam_at(apothem) = apothem / cos(half);

// Holes through a seam, near the floor, clear of the buttons' bodies and of the bosses.
module seam_bolts() {
    for (side = [-1, 1], along = [seam_at(inner_apothem) + 5, seam_at(outer_apothem) - 24])
        rotate(side * half) translate([0, -along, 10 - height]) rotate([0, 90, 0])
            cylinder(d = bolt, h = 6 * wall, center = true);
}

// The seams are open at the bottom so that the cables reach the Pi.
module cable_ways() {
    for (side = [-1, 1])
        rotate(side * half) translate([-4 * wall, -seam_at(inner_apothem) - 30, -height - 1])
            cube([8 * wall, 18, 19]);
}

module bosses(length) {
    intersection() {
        screw_places() cylinder(d = 8, h = length);
        linear_extrude(length) sector_outline();
    }
}

module ledge_ring() {
    intersection() {
        wedge(inner_apothem - ledge, inner_apothem + wall);
        circle_pentagon(inner_apothem + wall);
    }
}

module hub_screws() {
    for (side = [-1, 1]) translate([side * side_at(inner_apothem) * 0.6, -(inner_apothem - ledge / 2)]) children();
}

module sector(with_top = true, outlet = false) {
    difference() {
        union() {
            if (with_top) translate([0, 0, -top_thick]) linear_extrude(top_thick) sector_outline();
            translate([0, 0, -height]) linear_extrude(with_top ? height : height - top_thick) sector_walls();
            translate([0, 0, -height]) bosses(with_top ? height : height - top_thick);
            if (with_top) translate([0, 0, -2 * top_thick - slack]) linear_extrude(top_thick + slack) ledge_ring();
        }
        translate([0, 0, -top_thick - (with_top ? 0 : 12)]) linear_extrude(top_thick + 20)
            if (with_top) difference() {
                panel_holes();
                screw_places() circle(d = screw_hole + 0.01);
            } else screw_places() circle(d = pilot);
        translate([0, 0, -height - 1]) linear_extrude(13) screw_places() circle(d = pilot);
        if (with_top) translate([0, 0, -20]) linear_extrude(40) hub_screws() circle(d = pilot);
        seam_bolts();
        cable_ways();
        if (outlet) translate([0, -outer_apothem, 10 - height]) rotate([90, 0, 0]) cylinder(d = 13, h = 4 * wall, center = true);
    }
}

module hub() {
    translate([0, 0, -top_thick]) linear_extrude(top_thick) difference() {
        circle_pentagon(inner_apothem - slack);
        intersection() {
            panel_holes();
            circle_pentagon(inner_apothem - 2 * ledge);
        }
        translate([window[0], window[1]]) square([window[2], window[3]], center = true);
        for (seat = [0 : seats - 1]) rotate(seat * 2 * half) hub_screws() circle(d = screw_hole);
    }
}

// Mounting holes of a Pi (58 x 49) and of a Pi Zero (58 x 23), for M2.5.
module pi_holes() {
    for (x = [-29, 29], y = [0, 23, 49]) translate([x, -44 - y]) circle(d = 2.8);
}

module floor_part(pi_here = false) {
    linear_extrude(floor_thick) difference() {
        intersection() {
            wedge(0.01, outer_apothem + 1);
            rounded_pentagon(outer_apothem, corner);
        }
        screw_places() circle(d = screw_hole);
        if (pi_here) pi_holes();
        else for (step = [0 : 3]) translate([0, -(40 + step * 9)]) square([30 + step * 9, 3], center = true);  // air
    }
}

module box() {
    for (seat = [0 : seats - 1]) rotate(seat * 2 * half) sector();
    hub();
    translate([0, 0, -height - floor_thick]) for (seat = [0 : seats - 1]) rotate(seat * 2 * half) floor_part();
}

module strip_cut(place) {
    for (hole = strip_holes) translate([hole[0], hole[1]]) circle(d = hole[2]);
    if (place == seats) translate([strip_window[0], strip_window[1]])
        square([strip_window[2], strip_window[3]], center = true);
}

// A section of the strip: an open box, bolted to its neighbours through its side walls.
module strip_section(place) {
    left = strip_left + place * section_width;
    translate([-left - section_width / 2, 0, 0]) difference() {
        translate([left, -strip_height / 2, -height]) cube([section_width, strip_height, height]);
        difference() {
            translate([left + wall, -strip_height / 2 + wall, -height - 1])
                cube([section_width - 2 * wall, strip_height - 2 * wall, height - top_thick + 1]);
            for (hole = strip_holes) if (hole[2] == screw_hole)
                translate([hole[0], hole[1], -height - 2]) cylinder(d = 10, h = height + 4);
        }
        translate([0, 0, -top_thick - 1]) linear_extrude(top_thick + 2) difference() {
            strip_cut(place);
            for (hole = strip_holes) if (hole[2] == screw_hole)
                translate([hole[0], hole[1]]) circle(d = screw_hole + 0.01);
        }
        for (hole = strip_holes) if (hole[2] == screw_hole)
            translate([hole[0], hole[1], -height - 1]) cylinder(d = pilot, h = 13);
        for (x = [left, left + section_width], y = [-strip_height / 3, strip_height / 3])
            translate([x, y, -height / 2]) rotate([0, 90, 0]) cylinder(d = bolt, h = 6 * wall, center = true);
        for (x = [left, left + section_width]) if (x > strip_left + 1 && x < -strip_left - 1)
            translate([x, 0, -height / 2]) cube([8 * wall, 24, 22], center = true);
    }
}

module top_cut() {
    for (seat = [0 : seats - 1]) rotate(seat * 2 * half)
        projection(cut = true) translate([0, 0, top_thick / 2]) sector();
    projection(cut = true) translate([0, 0, top_thick / 2]) hub();
}

module picture() {
    tints = ["#c62828", "#fdd835", "#2e7d32", "#1565c0", "#6a1b9a"];
    for (seat = [0 : seats - 1]) rotate(seat * 2 * half) {
        color("#b0a48f") import(str(stl, "/sector.stl"));
        translate([0, 0, -height - floor_thick]) color("#80776a") import(str(stl, "/floor.stl"));
    }
    color("#d8d0c0") import(str(stl, "/hub.stl"));
    for (index = [0 : 4 * seats - 1]) translate([table_holes[index][0], table_holes[index][1], 0]) {
        color("#303030") cylinder(d = button_flange, h = 2.5);
        color(tints[floor(index / 4)]) cylinder(d = button_hole - 5, h = 6);
    }
    color("#101018") translate([window[0], window[1], -1]) cube([window[2], window[3], 1], center = true);
    for (hole = table_holes) if (hole[2] == knob_hole) translate([hole[0], hole[1], 0])
        color("#202020") cylinder(d = 15, h = 16);
}

module show(name) {
    if (name == "sector") sector();
    else if (name == "sector_out") sector(outlet = true);
    else if (name == "floor_pi") floor_part(pi_here = true);
    else if (name == "picture") picture();
    else if (name == "frame") sector(with_top = false);
    else if (name == "hub") hub();
    else if (name == "floor") floor_part();
    else if (name == "box") box();
    else if (name == "strip") strip_section(1);
    else if (name == "strip_end") strip_section(seats);
    else if (name == "holes") top_cut();
    else assert(false, str("no part ", name));
}

show(part);
