from shop.mail import Mail
from shop.orders import Orders


def main():
    print(Mail().notify(Orders().get(5))["subject"])


if __name__ == "__main__":
    main()
