"""What Raspberry Pi Imager 2 writes on a card's first partition for an image that says `cloudinit`: the answers of its
pages, in the shape its generator gives them (src/customization_generator.cpp of raspberrypi/rpi-imager)."""

from dataclasses import dataclass

GROUPS = "users,adm,dialout,audio,netdev,video,plugdev,cdrom,games,input,gpio,spi,i2c,render,sudo"


@dataclass(frozen=True, slots=True)
class Answers:
    """password: as crypt(3) gives it. psk: 64 hexadecimal digits, which Imager makes of the network's password."""

    host: str
    user: str
    password: str
    key: str
    network: str
    psk: str
    country: str
    zone: str


def user_data(answers: Answers) -> str:
    """Give the file of that name."""
    return f"""#cloud-config
hostname: {answers.host}
manage_etc_hosts: true
timezone: {answers.zone}
keyboard:
  model: pc105
  layout: "gb"
enable_ssh: true
users:
- name: {answers.user}
  groups: {GROUPS}
  shell: /bin/bash
  lock_passwd: false
  passwd: {answers.password}
  ssh_authorized_keys:
    - {answers.key}
  sudo: ALL=(ALL) NOPASSWD:ALL
"""


def network_config(answers: Answers) -> str:
    """Give the file of that name."""
    return f"""network:
  version: 2
  wifis:
    wlan0:
      dhcp4: true
      regulatory-domain: "{answers.country}"
      access-points:
        "{answers.network}":
          password: "{answers.psk}"
      optional: true
"""


def files(answers: Answers, words: str, instance: str = "rpi-imager-1790000000000") -> dict[str, str]:
    """Give the files by name. words: the kernel's, to which Imager adds where cloud-init finds the rest."""
    return {
        "user-data": user_data(answers),
        "network-config": network_config(answers),
        "meta-data": f"instance-id: {instance}\n",
        "cmdline.txt": f"{words} ds=nocloud;i={instance} cfg80211.ieee80211_regdom={answers.country}\n",
    }
